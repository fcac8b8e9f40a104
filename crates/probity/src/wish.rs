//! What may be typed about the report that is wanted.

use std::io::Read as _;
use std::path::PathBuf;

use probity_core::ModeSettings;
use probity_research::run::{ModelUse, Shape};
use probity_research::wish::{Wish, WishError};

use crate::failure::{WithHint as _, usage};

/// The most of an outline's file that is read, in bytes.
const OUTLINE_BYTES: u64 = 64 * 1024;

/// The flags that say what the report is to be like.
#[derive(Default, clap::Args)]
#[command(next_help_heading = "The report")]
pub(crate) struct WishArgs {
    /// Read up to N pages, 1 to 60, instead of the mode's number.
    #[arg(long, value_name = "N")]
    sources: Option<usize>,
    /// Run up to N rounds, 1 to 8, while each closes a gap; every further round reads as many pages
    /// as round 2.
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Send up to N queries per round, 1 to 12.
    #[arg(long, value_name = "N")]
    breadth: Option<usize>,
    /// Write about N words, 50 to 10,000, instead of the mode's number.
    #[arg(long, value_name = "N")]
    words: Option<usize>,
    /// Have the model write in this language, by name or code, instead of that of the question.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// How the model writes: `report`, `brief`, `memo` or `bullets`.
    #[arg(long, value_name = "STYLE")]
    style: Option<String>,
    /// A file with the headings of the sections for the model to write, one per line.
    #[arg(long, value_name = "FILE")]
    outline: Option<PathBuf>,
}

impl WishArgs {
    /// The numbers and the shape of a run, by its mode and these flags.
    pub(crate) fn fulfil(
        &self,
        usual: ModeSettings,
        model: &ModelUse,
    ) -> anyhow::Result<(ModeSettings, Shape)> {
        let wish = Wish {
            language: self.language.clone(),
            style: self.style.clone(),
            words: self.words,
            sources: self.sources,
            depth: self.depth,
            breadth: self.breadth,
            outline: self.outline.as_ref().map(read).transpose()?,
        };
        let as_usage = |error: WishError| usage(format!("--{} {}", error.field, error.why));
        let (numbers, shape) = wish.fulfil(usual).map_err(as_usage)?;
        match wish.needs_model().filter(|_| model.assignment.is_none()) {
            None => Ok((numbers, shape)),
            Some(name) => Err(usage(format!("--{name} needs a language model")))
                .hint("name one with --model, or set a provider's key such as ANTHROPIC_API_KEY"),
        }
    }
}

/// The text of an outline's file.
fn read(path: &PathBuf) -> anyhow::Result<String> {
    let mut text = String::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(OUTLINE_BYTES).read_to_string(&mut text));
    match read {
        Ok(_) => Ok(text),
        Err(error) => Err(usage(format!("--outline {}: {error}", path.display()))),
    }
}
