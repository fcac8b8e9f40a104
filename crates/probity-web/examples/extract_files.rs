//! Reads files and prints one row of JSON for each, without the rest of the program.
//!
//! ```text
//! cargo run --release -p probity-web --example extract_files -- FILE…
//! ```
//!
//! `scripts/compare-pdf` calls it.

use std::io::Write as _;

use probity_web::extract::{Input, extract};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in std::env::args_os().skip(1).map(std::path::PathBuf::from) {
        let bytes = std::fs::read(&path)?;
        let row = match extract(Input { bytes: &bytes, content_type: None, url: None }) {
            Ok(read) => serde_json::json!({
                "path": path,
                "text": read.document.text,
                "markdown": read.document.markdown,
                "page_starts": read.document.page_starts,
                "cut_short": read.document.cut_short,
            }),
            Err(error) => serde_json::json!({ "path": path, "error": error.to_string() }),
        };
        writeln!(out, "{row}")?;
    }
    Ok(())
}
