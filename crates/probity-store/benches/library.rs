//! The library at ten thousand documents: adding them, adding them again, searching.
//!
//! ```text
//! cargo bench -p probity-store --bench library
//! ```
//!
//! The documents are generated: words of the example library, drawn as often as they occur there,
//! with a rare one of their own now and then, and the name of the town in all of them.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a benchmark may stop where it fails"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use probity_core::Document;
use probity_store::library::{AddOptions, AddReport, Library, ReadDocument, Reader};
use probity_store::{Location, Store};
use tokio::runtime::Runtime;

const DOCUMENTS: usize = 10_000;
const WORDS: usize = 300;

fn main() {
    divan::main();
}

/// The cheapest reader there can be: what is measured is the library.
struct PlainReader;

impl Reader for PlainReader {
    fn version(&self) -> i64 {
        1
    }

    fn read(&self, _: &Path, bytes: &[u8]) -> Result<ReadDocument, String> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let title = text.lines().next().unwrap_or_default().to_owned();
        let document = Document { title, markdown: text.clone(), text, ..Document::default() };
        Ok(ReadDocument { document, ..ReadDocument::default() })
    }
}

/// All words of the example library, in order.
fn vocabulary() -> Vec<String> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/library");
    let mut files = Vec::new();
    for shelf in std::fs::read_dir(examples).unwrap() {
        let shelf = shelf.unwrap().path();
        if shelf.is_dir() {
            files.extend(std::fs::read_dir(shelf).unwrap().map(|file| file.unwrap().path()));
        }
    }
    files.sort();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap());
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    texts.flat_map(words).filter(|word| word.chars().all(char::is_alphabetic)).collect()
}

/// A sequence of numbers that looks random and is always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn word(&mut self, vocabulary: &[String]) -> String {
        match self.roll(50) {
            0 => format!("ref{}", self.roll(20_000)),
            _ => vocabulary[self.roll(vocabulary.len())].clone(),
        }
    }
}

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let vocabulary = vocabulary();
    let mut dice = Dice(7);
    for number in 0..DOCUMENTS {
        let mut text = format!("Note {number} of Port Ellery on {}\n", dice.word(&vocabulary));
        for place in 0..WORDS {
            let end = if place % 12 == 11 { ".\n" } else { " " };
            let _ = write!(text, "{}{end}", dice.word(&vocabulary));
        }
        let path = folder.path().join(format!("{:02}", number % 100));
        std::fs::create_dir_all(&path).unwrap();
        let path = path.join(format!("{number}.txt"));
        std::fs::write(&path, text).unwrap();
        let file = std::fs::File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).unwrap();
    }
    folder
});

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

async fn open(folder: &Path) -> Library {
    Library::of(&Store::open(&Location::file(folder.join("probity.db"))).await.unwrap())
}

async fn add(library: &Library) -> AddReport {
    let reader: Arc<dyn Reader> = Arc::new(PlainReader);
    library.add(FOLDER.path(), reader, AddOptions::default(), &mut |_| {}).await.unwrap()
}

/// A library with all documents in it.
static FULL: LazyLock<(tempfile::TempDir, Library)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let library = RUNTIME.block_on(async {
        let library = open(folder.path()).await;
        assert_eq!(add(&library).await.added, DOCUMENTS);
        library
    });
    (folder, library)
});

#[divan::bench(sample_count = 3, sample_size = 1)]
fn add_ten_thousand(bencher: divan::Bencher) {
    LazyLock::force(&FOLDER);
    bencher.with_inputs(|| tempfile::tempdir().unwrap()).bench_values(|folder| {
        RUNTIME.block_on(async { add(&open(folder.path()).await).await });
        folder
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn add_them_again(bencher: divan::Bencher) {
    let library = &FULL.1;
    bencher.bench(|| {
        let report = RUNTIME.block_on(add(library));
        assert_eq!(report.unchanged, DOCUMENTS);
    });
}

#[divan::bench(args = [
    "What does Port Ellery's noise ordinance say about amplified outdoor music at night?",
    "lighthouse ref1234",
    "Port Ellery",
])]
fn search(bencher: divan::Bencher, query: &str) {
    let library = &FULL.1;
    bencher.bench(|| RUNTIME.block_on(library.search(query, 10)).unwrap());
}
