//! Reports as files: readable names, never half-written.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use probity_core::Timestamp;
use probity_report::markdown::markdown_with_appendix;
use probity_research::Finished;

use crate::atomic_file;
use crate::config::Paths;

/// The folder of saved reports, below the data folder.
const REPORTS: &str = "reports";
/// How much of the question a file name takes, in characters.
const SLUG_CHARS: usize = 60;
/// The letters of the random part of a run id: none that look alike.
const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

/// A new run id: the day, and six letters that no other run of that day should have.
pub(crate) fn new_run_id(now: Timestamp) -> anyhow::Result<String> {
    let day = now.date();
    Ok(format!("{:04}{:02}{:02}-{}", day.year(), day.month(), day.day(), letters()?))
}

/// Six random letters.
pub(crate) fn letters() -> anyhow::Result<String> {
    let mut random = [0u8; 6];
    getrandom::fill(&mut random)
        .map_err(|e| anyhow::anyhow!("the system provides no random numbers: {e}"))?;
    let letters = random.iter().filter_map(|byte| LETTERS.get(usize::from(byte % 32)));
    Ok(letters.map(|letter| char::from(*letter)).collect())
}

/// Saves a finished report under the data folder and gives the file's name.
pub(crate) fn keep_report(paths: &Paths, finished: &Finished) -> anyhow::Result<PathBuf> {
    let folder = paths.data.join(REPORTS);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let facts = finished.facts();
    let name = format!("{}-{}-{}.md", facts.asked_at.date(), slug(&facts.question), facts.run_id);
    let path = folder.join(name);
    atomic_file::file(&path, markdown_with_appendix(&finished.report).as_bytes())?;
    Ok(path)
}

/// A text as part of a file name: lower-case words with dashes, nothing that means anything to a
/// file system.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for word in probity_text::words::words(text) {
        let plain: String = word.lower.chars().filter(|c| c.is_alphanumeric()).collect();
        if plain.is_empty() {
            continue;
        }
        if slug.chars().count() + plain.chars().count() >= SLUG_CHARS {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&plain);
    }
    if slug.is_empty() { "report".to_owned() } else { slug }
}

/// A folder's whole name, so that a run can be resumed from anywhere.
pub(crate) fn absolute(path: &Path) -> anyhow::Result<String> {
    let whole = std::path::absolute(path)
        .with_context(|| format!("cannot find the folder of {}", path.display()))?;
    Ok(whole.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_nothing_to_a_file_system() {
        assert_eq!(slug("What's the ../../etc price: 5 €?"), "whats-the-etc-price-5");
        assert_eq!(slug("???"), "report");
        assert!(slug(&"word ".repeat(100)).chars().count() <= SLUG_CHARS);
    }

    #[test]
    fn run_ids_are_readable_and_differ() {
        let now: Timestamp = "2026-11-15".parse().unwrap();
        let (a, b) = (new_run_id(now).unwrap(), new_run_id(now).unwrap());
        assert!(a.starts_with("20261115-") && a.len() == 15, "{a}");
        assert_ne!(a, b);
    }
}
