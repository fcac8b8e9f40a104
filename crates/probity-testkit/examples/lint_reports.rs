//! What a reader of reports would stumble over: `cargo run -p probity-testkit --example lint_reports -- REPORT.md …`
//! prints a line for each fault, and at last how many there are.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use probity_testkit::lint::faults;

fn main() -> std::io::Result<()> {
    let mut count = 0;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        // A terminal shows a line before the report.
        let report = text.trim_start_matches(['=', '\n']);
        for fault in faults(report) {
            count += 1;
            println!("{path}: {fault}");
        }
    }
    println!("{count} faults");
    Ok(())
}
