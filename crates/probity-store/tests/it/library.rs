//! A folder comes into the library, changes, is searched and goes again, on both engines.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use probity_core::{Document, WebUrl};
use probity_store::library::{
    AddOptions, AddReport, Ingested, Library, ListOptions, ReadDocument, Reader, SNIPPET_CHARS,
};

use crate::place::Place;

/// Reads the first line as the title and `url: …` as the address; counts how often it is asked.
#[derive(Default)]
pub(crate) struct PlainReader {
    asked: AtomicUsize,
    version: i64,
}

impl Reader for PlainReader {
    fn version(&self) -> i64 {
        self.version
    }

    fn read(&self, _: &Path, bytes: &[u8]) -> Result<ReadDocument, String> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let text = std::str::from_utf8(bytes).map_err(|_| "not text".to_owned())?;
        assert!(!text.contains("crash"), "this reader crashes on purpose");
        let (title, body) = text.split_once('\n').unwrap_or(("", text));
        let url = body.lines().find_map(|line| line.strip_prefix("url: "));
        let document = Document {
            title: title.to_owned(),
            text: body.to_owned(),
            markdown: format!("# {title}\n{body}"),
            published: "2025-03-02".parse().ok(),
            cut_short: body.lines().find_map(|line| line.strip_prefix("cut: ")).map(str::to_owned),
            ..Document::default()
        };
        Ok(ReadDocument {
            document,
            url: url.and_then(|url| WebUrl::parse(url).ok()),
            outlet: None,
        })
    }
}

struct Shelf {
    folder: tempfile::TempDir,
    reader: Arc<PlainReader>,
}

impl Shelf {
    fn with(files: &[(&str, &str)]) -> Self {
        let shelf =
            Self { folder: tempfile::tempdir().unwrap(), reader: Arc::new(PlainReader::default()) };
        for (name, text) in files {
            shelf.write(name, text.as_bytes());
        }
        shelf
    }

    /// Files are dated an hour back, so that size and time alone can tell that they did not change.
    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        self.date(name, 3_600);
    }

    fn date(&self, name: &str, seconds_ago: u64) {
        let file = fs::File::options().write(true).open(self.folder.path().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds_ago)).unwrap();
    }

    async fn add(&self, library: &Library) -> AddReport {
        let options = AddOptions::default();
        library.add(self.folder.path(), self.reader.clone(), options, &mut |_| {}).await.unwrap()
    }

    fn asked(&self) -> usize {
        self.reader.asked.swap(0, Ordering::Relaxed)
    }
}

fn counts(report: &AddReport) -> [usize; 5] {
    [report.added, report.changed, report.unchanged, report.removed, report.failed.len()]
}

async fn titles(library: &Library, query: &str) -> Vec<String> {
    let hits = library.search(query, 10).await.unwrap();
    hits.into_iter().map(|found| found.hit.title).collect()
}

const TOWN: &[(&str, &str)] = &[
    (
        "law/noise.md",
        "Noise\nurl: https://code.example.org/9\nAmplified music outdoors must stop at 10 pm.",
    ),
    ("law/parking.md", "Parking\nCars may stand in a blue bay for three hours."),
    ("dance.txt", "First dances\nThe most popular first dance song at weddings is a waltz."),
];

#[tokio::test]
async fn a_folder_is_followed_through_its_changes() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let shelf = Shelf::with(TOWN);
        assert_eq!(counts(&shelf.add(&library).await), [3, 0, 0, 0, 0]);
        assert_eq!(shelf.asked(), 3);

        // Nothing changed: nothing is read, nothing is written.
        let before = library.list(&ListOptions::default()).await.unwrap();
        assert_eq!(counts(&shelf.add(&library).await), [0, 0, 3, 0, 0]);
        assert_eq!(shelf.asked(), 0);
        assert_eq!(library.list(&ListOptions::default()).await.unwrap(), before);

        // Another time, the same bytes: they are compared, not read again.
        shelf.date("dance.txt", 1_800);
        assert_eq!(counts(&shelf.add(&library).await), [0, 0, 3, 0, 0]);
        assert_eq!(shelf.asked(), 0);

        shelf.write("law/parking.md", b"Parking\nCoaches park at the mole.");
        shelf.write("law/fishing.md", b"Fishing\nNets are mended on Mondays.");
        fs::remove_file(shelf.folder.path().join("dance.txt")).unwrap();
        assert_eq!(counts(&shelf.add(&library).await), [1, 1, 1, 1, 0]);
        assert_eq!(shelf.asked(), 2);
        assert_eq!(titles(&library, "coaches").await, ["Parking"]);
        assert!(titles(&library, "blue bay").await.is_empty());
        assert!(titles(&library, "waltz").await.is_empty());

        // A newer reader reads everything again.
        let newer: Arc<dyn Reader> = Arc::new(PlainReader { version: 1, ..PlainReader::default() });
        let path = shelf.folder.path();
        let report = library.add(path, newer, AddOptions::default(), &mut |_| {}).await.unwrap();
        assert_eq!(counts(&report), [0, 3, 0, 0, 0]);
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_reported_and_not_tried_again() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let shelf = Shelf::with(TOWN);
        shelf.write("broken.txt", b"\xff\xfe\x00");
        shelf.write("empty.txt", b"Title only\n \n");
        shelf.write("crash.txt", b"Title\ncrash");
        let report = shelf.add(&library).await;
        assert_eq!(counts(&report), [3, 0, 0, 0, 3]);
        let whys: BTreeSet<&str> = report.failed.iter().map(|failed| failed.why.as_str()).collect();
        assert!(whys.contains("not text"), "{whys:?}");
        assert_eq!(shelf.asked(), 6);

        assert_eq!(counts(&shelf.add(&library).await), [0, 0, 3, 0, 3]);
        assert_eq!(shelf.asked(), 0);
        let failed = ListOptions { failed: true, ..ListOptions::default() };
        assert_eq!(library.list(&failed).await.unwrap().len(), 3);
        let status = library.status().await.unwrap();
        assert_eq!((status.documents, status.failed), (3, 3));

        shelf.write("broken.txt", b"Mended\nNow it is text.");
        assert_eq!(counts(&shelf.add(&library).await), [0, 1, 3, 0, 2]);
        assert_eq!(titles(&library, "mended text").await, ["Mended"]);
    }
}

#[tokio::test]
async fn a_hit_says_what_the_document_says_on_the_query() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        Shelf::with(TOWN).add(&library).await;
        let hits = library.search("When must amplified music stop?", 10).await.unwrap();
        let first = &hits[0];
        assert_eq!(first.hit.url.as_str(), "https://code.example.org/9");
        assert_eq!(first.hit.providers, ["library"]);
        assert_eq!(first.hit.published, "2025-03-02".parse().ok());
        assert!(first.hit.snippet.contains("Amplified music outdoors must stop at 10 pm."));
        assert!(first.hit.snippet.chars().count() <= SNIPPET_CHARS);
        assert!(first.origin.ends_with("law/noise.md"));

        let document = library.document(&first.hit.url).await.unwrap().unwrap();
        assert!(document.text.ends_with("must stop at 10 pm."));
        assert!(document.markdown.starts_with("# Noise"));
        for name in
            [&first.id, &first.origin.as_str().into(), &first.hit.url.to_string().as_str().into()]
        {
            let shown = library.show(name).await.unwrap().unwrap();
            assert_eq!((&shown.about.id, &shown.document), (&first.id, &document));
        }
        assert!(library.show("nothing").await.unwrap().is_none());
        assert_eq!(library.search("amplified", 0).await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_query_is_data_whatever_is_in_it() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        Shelf::with(TOWN).add(&library).await;
        for query in [
            "",
            "?",
            "\"",
            "music\" OR \"",
            "title:music",
            "NEAR(music stop)",
            "music AND NOT stop",
            "'music' & !'stop'",
            "music:*A",
            "^music*",
            "-music",
            "\\",
            "('",
            "музыка",
            "音楽",
            "\u{0}music",
            "the of and",
            "{music} [stop] (pm)",
            "$1 %s; DROP TABLE library_documents --",
        ] {
            let found = library.search(query, 10).await;
            assert!(found.is_ok(), "{query}: {found:?}");
        }
        assert_eq!(titles(&library, "music\" OR \"parking").await.len(), 2);
        assert_eq!(library.status().await.unwrap().documents, 3);
    }
}

#[tokio::test]
async fn both_engines_give_the_same_answers_in_the_same_order() {
    let texts: Vec<(String, String)> = (0..60)
        .map(|n: usize| {
            let extra = ["harbour", "permit", "lighthouse", "oyster", "waltz"][n % 5];
            let text =
                format!("Note {n}\nThe town writes of {extra} number {n}. ").repeat(1 + n % 4);
            (format!("{n:02}.txt"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let shelf = Shelf::with(&files);
    let mut answers = BTreeSet::new();
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        shelf.add(&library).await;
        let mut answer = Vec::new();
        for query in ["harbour permits", "the number of oysters", "town", "lighthouse 42"] {
            answer.push(titles(&library, query).await);
        }
        assert!(answer.iter().all(|titles| !titles.is_empty()));
        answers.insert(answer);
    }
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test]
async fn files_of_the_same_name_have_addresses_of_their_own() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let both = tempfile::tempdir().unwrap();
        let reader: Arc<dyn Reader> = Arc::new(PlainReader::default());
        for parent in ["one", "two"] {
            let folder = both.path().join(parent).join("notes");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("a.txt"), format!("Of {parent}\nThe word of {parent} is kelp."))
                .unwrap();
            let options = AddOptions::default();
            library.add(&folder, reader.clone(), options, &mut |_| {}).await.unwrap();
        }
        let hits = library.search("kelp", 10).await.unwrap();
        let urls: BTreeSet<_> = hits.iter().map(|found| found.hit.url.clone()).collect();
        assert_eq!(urls.len(), 2, "{urls:?}");
        assert!(urls.iter().all(WebUrl::is_local));
        assert!(urls.iter().any(|url| url.as_str() == "https://local.invalid/notes/a.txt"));
        for found in &hits {
            let document = library.document(&found.hit.url).await.unwrap().unwrap();
            assert_eq!(document.title, found.hit.title);
        }

        // Copies of one page are one source.
        for name in ["c.txt", "d.txt"] {
            fs::write(both.path().join(name), "Copy\nurl: https://a.example.org/x\nAbout kelp.")
                .unwrap();
        }
        library.add(both.path(), reader, AddOptions::default(), &mut |_| {}).await.unwrap();
        assert_eq!(library.search("kelp", 10).await.unwrap().len(), 3);
    }
}

#[tokio::test]
async fn documents_leave_by_name_by_folder_and_by_address() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let shelf = Shelf::with(TOWN);
        shelf.add(&library).await;
        assert_eq!(library.status().await.unwrap().folders.len(), 1);
        assert_eq!(library.remove("https://code.example.org/9#part").await.unwrap(), 1);
        assert_eq!(library.remove("https://code.example.org/9").await.unwrap(), 0);
        let id = library.search("waltz", 1).await.unwrap()[0].id.clone();
        assert_eq!(library.remove(&id).await.unwrap(), 1);
        let folder = shelf.folder.path().to_str().unwrap().to_owned();
        assert_eq!(library.remove(&folder).await.unwrap(), 1);
        let status = library.status().await.unwrap();
        assert_eq!((status.documents, status.passages, status.folders.len()), (0, 0, 0));
        assert!(titles(&library, "parking music waltz").await.is_empty());
    }
}

#[tokio::test]
async fn documents_that_left_do_not_crowd_out_those_that_stay() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let shelf =
            Shelf::with(&[("stays.txt", "Tides\nOf the many plants on this shore one is kelp.")]);
        for n in 0..300 {
            shelf.write(&format!("leaves/{n}.txt"), b"Kelp\nKelp, kelp and kelp.");
        }
        shelf.add(&library).await;
        fs::remove_dir_all(shelf.folder.path().join("leaves")).unwrap();
        assert_eq!(counts(&shelf.add(&library).await), [0, 0, 1, 300, 0]);
        assert_eq!(titles(&library, "kelp").await, ["Tides"]);
    }
}

#[tokio::test]
async fn a_file_that_is_read_in_part_says_so_whenever_its_folder_is_added() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let shelf = Shelf::with(TOWN);
        shelf.write("no.txt", b"\"cut_short\":\nThe fees.");
        let fees = |number: usize| format!("fees/{number:03}.txt");
        (0..120).for_each(|at| shelf.write(&fees(at), b"Fees\ncut: too \"wide\"\nForty."));
        for _ in 0..2 {
            let told = shelf.add(&library).await.read_in_part;
            assert_eq!(told.len(), 120);
            assert!(told.iter().enumerate().all(|(at, one)| one.origin.ends_with(&fees(at))));
            assert_eq!(told[0].why, "too \"wide\"");
        }
        fs::remove_dir_all(shelf.folder.path().join("fees")).unwrap();
        assert!(shelf.add(&library).await.read_in_part.is_empty());
    }
}

#[tokio::test]
async fn a_page_is_added_once_and_replaced_when_it_changed() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let url = WebUrl::parse("https://town.example.org/ferry?utm_source=x").unwrap();
        let page = |text: &str| {
            let document = Document {
                title: "Ferry".into(),
                text: text.into(),
                markdown: text.into(),
                ..Document::default()
            };
            // The page claims to be another's; that is not believed.
            ReadDocument { document, url: WebUrl::parse("https://reuters.com/").ok(), outlet: None }
        };
        let taken = library.add_page(&url, page("The last boat leaves at nine.")).await.unwrap();
        assert_eq!(taken, Ingested::Added);
        let taken = library.add_page(&url, page("The last boat leaves at nine.")).await.unwrap();
        assert_eq!(taken, Ingested::Unchanged);
        let taken = library.add_page(&url, page("The last boat leaves at ten.")).await.unwrap();
        assert_eq!(taken, Ingested::Changed);
        let hits = library.search("last boat", 5).await.unwrap();
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].hit.url.host(), "town.example.org");
        assert!(hits[0].hit.snippet.contains("at ten"));
    }
}

#[tokio::test]
async fn lists_come_in_pages_and_by_folder() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let shelf = Shelf::with(TOWN);
        shelf.add(&library).await;
        let first = ListOptions { limit: 2, ..ListOptions::default() };
        let page = library.list(&first).await.unwrap();
        assert_eq!(page.len(), 2);
        let after = Some(page[1].origin.clone());
        let rest = library.list(&ListOptions { after, ..first }).await.unwrap();
        assert_eq!(rest.len(), 1);
        let under = Some(shelf.folder.path().join("law").to_str().unwrap().to_owned());
        let law = library.list(&ListOptions { under, ..ListOptions::default() }).await.unwrap();
        assert_eq!(
            law.iter().map(|listed| listed.title.as_str()).collect::<Vec<_>>(),
            ["Noise", "Parking"]
        );
    }
}

#[tokio::test]
async fn a_long_document_is_found_by_a_word_at_its_end_and_comes_back_whole() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let line = "Nothing was decided on that day, and the council went home early.\n";
        let text = format!("Minutes\n{}The whale stays where it is.", line.repeat(3_000));
        let shelf =
            Shelf::with(&[("minutes.txt", &text), ("short.txt", "Short\nA council of four.")]);
        shelf.add(&library).await;
        let hits = library.search("What did the council decide on the whale?", 5).await.unwrap();
        assert_eq!(hits[0].hit.title, "Minutes");
        assert!(
            hits[0].hit.snippet.contains("The whale stays where it is."),
            "{}",
            hits[0].hit.snippet
        );
        let document = library.document(&hits[0].hit.url).await.unwrap().unwrap();
        assert_eq!(Some(document.text.as_str()), text.strip_prefix("Minutes\n"));
    }
}

#[tokio::test]
async fn accents_and_endings_do_not_keep_a_document_from_being_found() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        Shelf::with(&[
            ("es.txt", "Rumbas\nLa rumba flamenca nació en los cafés de Cádiz y de Sevilla."),
            ("de.txt", "Häuser\nDie Häuser am Hafen wurden nach dem Brand aus Ziegeln gebaut."),
            ("ru.txt", "Маяк\nМаяк на холме был открыт снова в июне."),
            ("en.txt", "Rumba\nThe Cuban rumbas came from the yards of Havana."),
        ])
        .add(&library)
        .await;
        assert_eq!(titles(&library, "rumba Cadiz").await, ["Rumbas", "Rumba"]);
        assert_eq!(titles(&library, "Welches Haus wurde am Hafen gebaut?").await, ["Häuser"]);
        assert_eq!(titles(&library, "маяка").await, ["Маяк"]);
        assert_eq!(titles(&library, "Havanas yard").await, ["Rumba"]);
    }
}

#[tokio::test]
async fn a_kept_index_is_taken_up_by_the_next_run() {
    let shelf = Shelf::with(TOWN);
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("index.db");
    let reader: Arc<dyn Reader> = Arc::new(PlainReader::default());
    let open = || Library::kept(shelf.folder.path(), &file, reader.clone());
    assert_eq!(counts(&open().await.unwrap().1), [3, 0, 0, 0, 0]);
    let (library, report) = open().await.unwrap();
    assert_eq!(counts(&report), [0, 0, 3, 0, 0], "nothing is read again");
    assert_eq!(titles(&library, "amplified music").await, ["Noise"]);
    assert!(Library::holds_more_than(shelf.folder.path(), 2));
    assert!(!Library::holds_more_than(shelf.folder.path(), 3));
}

#[tokio::test]
async fn the_next_run_over_an_unchanged_folder_opens_none_of_its_files() {
    let shelf = Shelf::with(TOWN);
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("index.db");
    let open = || Library::kept(shelf.folder.path(), &file, shelf.reader.clone());
    open().await.unwrap();
    assert_eq!(shelf.asked(), TOWN.len());
    // Other bytes of the same length and date: whoever opened a file would notice.
    for (name, text) in TOWN {
        let path = shelf.folder.path().join(name);
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "x".repeat(text.len())).unwrap();
        let written = fs::File::options().write(true).open(&path).unwrap();
        written.set_modified(modified).unwrap();
    }
    let (library, report) = open().await.unwrap();
    assert_eq!((counts(&report), shelf.asked()), ([0, 0, 3, 0, 0], 0));
    assert_eq!(titles(&library, "amplified music").await, ["Noise"]);
    // One file that changed is read, and no other.
    shelf.write("law/noise.md", b"Noise\nAmplified music ends at nine.");
    assert_eq!(counts(&open().await.unwrap().1), [0, 1, 2, 0, 0]);
    assert_eq!(shelf.asked(), 1);
}

#[tokio::test]
async fn a_library_in_memory_leaves_nothing_behind() {
    let shelf = Shelf::with(TOWN);
    let reader: Arc<dyn Reader> = Arc::new(PlainReader::default());
    let (library, report) = Library::ephemeral(shelf.folder.path(), reader.clone()).await.unwrap();
    assert_eq!(counts(&report), [3, 0, 0, 0, 0]);
    // Many searches at once share the one connection.
    let searches: Vec<_> = (0..20)
        .map(|_| {
            let library = library.clone();
            tokio::spawn(async move { titles(&library, "amplified music").await })
        })
        .collect();
    for search in searches {
        assert_eq!(search.await.unwrap(), ["Noise"]);
    }
    let files = fs::read_dir(shelf.folder.path()).unwrap().count();
    assert_eq!(files, 2);
    let missing = Library::ephemeral(&shelf.folder.path().join("nowhere"), reader).await;
    assert!(missing.is_err_and(|error| error.to_string().contains("nowhere")));
}
