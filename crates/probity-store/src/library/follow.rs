//! What changed in a folder since it was last indexed, decided before any file is read.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use probity_core::Timestamp;

use super::folder::{FoundFile, Walk};

/// A file that was written less than this long before it was indexed may have been written again
/// within the same tick of the file system's clock. Its bytes are compared, not its time.
const CLOCK_GRAIN_MS: i64 = 2_000;

/// What the index knows of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    /// Its size when it was read.
    pub bytes: u64,
    /// When it had been changed, in milliseconds since 1970.
    pub modified: i64,
    /// The SHA-256 of its bytes.
    pub hash: String,
    /// The version of the reader that read it.
    pub reader: i64,
    /// When it was indexed.
    pub indexed_at: Timestamp,
    /// Why nothing could be read of it.
    pub failure: Option<String>,
}

impl Known {
    /// Whether size and time alone show that the file is the one that was indexed.
    fn is_surely(&self, file: &FoundFile) -> bool {
        self.bytes == file.bytes
            && self.modified == file.modified
            && file.modified < self.indexed_at.0.saturating_sub(CLOCK_GRAIN_MS)
    }
}

/// A file that has to be looked into.
#[derive(Debug, Clone)]
pub(super) struct Suspect {
    /// The file.
    pub file: FoundFile,
    /// What is known of it; none when it is new.
    pub known: Option<Known>,
    /// Whether it is read even if its bytes are the same.
    pub regardless: bool,
}

/// What is to be done with the files of a folder.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Files that are new, or may have changed.
    pub to_read: Vec<Suspect>,
    /// How many surely did not change and are in the index.
    pub unchanged: usize,
    /// Files that surely did not change and could not be read then, with the reason.
    pub still_failed: Vec<(String, String)>,
    /// Origins in the index whose files are gone.
    pub gone: Vec<String>,
}

/// Compares what was found with what is known.
pub(super) fn plan(
    walk: &mut Walk,
    mut known: HashMap<String, Known>,
    reader: i64,
    again: bool,
) -> Plan {
    let mut plan = Plan::default();
    let files = std::mem::take(&mut walk.files);
    let found: HashSet<String> =
        files.iter().map(|file| file.path.to_string_lossy().into_owned()).collect();
    plan.gone = known
        .keys()
        .filter(|origin| !found.contains(*origin) && !walk.may_have_missed(Path::new(origin)))
        .cloned()
        .collect();
    plan.gone.sort_unstable();
    for file in files {
        let origin = file.path.to_string_lossy().into_owned();
        let known = known.remove(&origin);
        let regardless = known.as_ref().is_some_and(|known| again || known.reader != reader);
        match known {
            Some(known) if !regardless && known.is_surely(&file) => match known.failure {
                Some(reason) => plan.still_failed.push((origin, reason)),
                None => plan.unchanged += 1,
            },
            known => plan.to_read.push(Suspect { file, known, regardless }),
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG_AGO: i64 = 1_000;
    const INDEXED: Timestamp = Timestamp(1_000_000);

    fn file(name: &str, bytes: u64, modified: i64) -> FoundFile {
        FoundFile { path: format!("/l/{name}").into(), relative: name.into(), bytes, modified }
    }

    fn known(bytes: u64, modified: i64) -> Known {
        let hash = "same".to_owned();
        Known { bytes, modified, hash, reader: 1, indexed_at: INDEXED, failure: None }
    }

    fn plan_for(file: FoundFile, known: Known, reader: i64, again: bool) -> Plan {
        let origin = file.path.to_string_lossy().into_owned();
        let mut walk = Walk { files: vec![file], ..Walk::default() };
        plan(&mut walk, HashMap::from([(origin, known)]), reader, again)
    }

    #[test]
    fn the_same_size_and_time_need_no_reading() {
        let plan = plan_for(file("a.md", 5, LONG_AGO), known(5, LONG_AGO), 1, false);
        assert_eq!((plan.unchanged, plan.to_read.len()), (1, 0));
    }

    #[test]
    fn another_size_time_or_reader_needs_reading_and_so_does_asking_for_it() {
        for (file, reader, again, regardless) in [
            (file("a.md", 6, LONG_AGO), 1, false, false),
            (file("a.md", 5, LONG_AGO + 1), 1, false, false),
            (file("a.md", 5, LONG_AGO), 2, false, true),
            (file("a.md", 5, LONG_AGO), 1, true, true),
        ] {
            let plan = plan_for(file, known(5, LONG_AGO), reader, again);
            assert_eq!((plan.unchanged, plan.to_read.len()), (0, 1));
            assert_eq!(plan.to_read[0].regardless, regardless);
        }
    }

    #[test]
    fn a_file_written_just_before_it_was_indexed_is_compared_by_its_bytes() {
        let fresh = INDEXED.0 - 1;
        let plan = plan_for(file("a.md", 5, fresh), known(5, fresh), 1, false);
        assert_eq!(plan.to_read.len(), 1);
        assert!(plan.to_read[0].known.is_some() && !plan.to_read[0].regardless);
    }

    #[test]
    fn a_file_that_failed_is_not_tried_again_until_it_changes() {
        let broken = Known { failure: Some("broken".into()), ..known(5, LONG_AGO) };
        let plan = plan_for(file("a.pdf", 5, LONG_AGO), broken, 1, false);
        assert_eq!(plan.still_failed, [("/l/a.pdf".to_owned(), "broken".to_owned())]);
    }

    #[test]
    fn what_is_gone_is_dropped_unless_the_walk_may_have_missed_it() {
        let index = || HashMap::from([("/l/x/gone.md".to_owned(), known(1, 1))]);
        let mut whole = Walk::default();
        assert_eq!(plan(&mut whole, index(), 1, false).gone, ["/l/x/gone.md"]);
        let mut blind =
            Walk { unreadable: vec![("/l/x".into(), "denied".into())], ..Walk::default() };
        assert!(plan(&mut blind, index(), 1, false).gone.is_empty());
        let mut short = Walk { cut_short: true, ..Walk::default() };
        assert!(plan(&mut short, index(), 1, false).gone.is_empty());
    }
}
