//! Laws of the ledger: what was honestly written verifies, and nothing else does.

use std::collections::BTreeMap;

use probity_core::{Outlet, Timestamp, WebUrl};
use proptest::prelude::*;

use super::*;
use crate::ledger::{
    Alpha, Code, Codebook, Coding, CodingRequest, Credibility, EventKind, ImportRow, LedgerEvent,
    Name, Provenance, Signature, Standing, Subject, SubjectKind, WeighedCode, apply, import,
    revert, seeds, set,
};

const DOMAINS: [&str; 4] = ["reuters.com", "wired.com", "gazette.example", "herald.example"];

/// A ledger in memory: what the store keeps in tables.
struct Book {
    head: Head,
    codebook: Codebook,
    rows: BTreeMap<String, OutletRow>,
    log: Vec<EventRecord>,
}

#[derive(Debug, Clone)]
enum Action {
    Nudge { codes: Vec<usize>, alpha: f64, note: Option<String> },
    Set(f64),
    Import { score: f64, name: Option<String> },
    Revert(usize),
}

const CODES: [(&str, i64); 3] =
    [("high-quality-source", 1), ("source-unreliable", -1), ("on-the-record", 3)];

fn code_name(index: usize) -> CodeName {
    CodeName::new(CODES[index % CODES.len()].0).unwrap()
}

impl Book {
    fn new() -> Self {
        let codes = CODES.iter().map(|(name, weight)| Code {
            name: CodeName::new(name).unwrap(),
            weight: Weight::new(*weight).unwrap(),
            description: String::new(),
            retired: false,
            revision: 1,
        });
        let rows = seeds().iter().map(|seed| {
            let row = OutletRow {
                domain: seed.domain.to_owned(),
                name: Some(seed.name.to_owned()),
                score: seed.score.get(),
                seeded: Some(seed.score.get()),
                last_event: None,
            };
            (row.domain.clone(), row)
        });
        Self {
            head: Head::genesis(),
            codebook: Codebook::new(codes),
            rows: rows.collect(),
            log: Vec::new(),
        }
    }

    fn of(actions: &[(usize, Action)]) -> Self {
        let mut book = Self::new();
        for (domain, action) in actions {
            book.act(DOMAINS[domain % DOMAINS.len()], action);
        }
        book
    }

    fn standing(&self, domain: &str) -> Standing {
        let outlet = Outlet::new(domain).unwrap();
        match self.rows.get(domain) {
            None => Standing::unknown(outlet),
            Some(row) => Standing {
                outlet,
                score: Credibility::new(row.score).unwrap(),
                name: row.name.as_deref().map(|name| Name::new(name).unwrap()),
                known: true,
            },
        }
    }

    fn act(&mut self, domain: &str, action: &Action) {
        let at = Timestamp(1_700_000_000_000 + self.head.seq);
        let signature = Signature::new("Ada", None).unwrap();
        let standing = self.standing(domain);
        let event = match action {
            Action::Nudge { codes, alpha, note } => {
                let url = WebUrl::parse("https://a.example/story").unwrap();
                let request = CodingRequest {
                    outlet: standing.outlet.clone(),
                    subject: if codes.len() > 1 {
                        Subject::article(&url)
                    } else {
                        Subject::outlet()
                    },
                    codes: codes.iter().map(|code| code_name(*code)).collect(),
                    alpha: Alpha::new(*alpha).unwrap(),
                    signature: Signature::new("Ada", note.as_deref()).unwrap(),
                };
                let coding = Coding::weigh(request, &self.codebook).unwrap();
                Some(apply(&coding, &standing, &self.head, at))
            }
            Action::Set(score) => {
                let score = Credibility::new(*score).unwrap();
                Some(set(score, &signature, &standing, &self.head, at))
            }
            Action::Import { score, name } => {
                let row = ImportRow {
                    outlet: standing.outlet.clone(),
                    score: Credibility::new(*score).unwrap(),
                    name: name.as_deref().map(|name| Name::new(name).unwrap()),
                };
                let label = Name::new("a list").unwrap();
                import(&row, &Provenance { label, signature }, &standing, &self.head, at)
            }
            Action::Revert(index) => {
                let own: Vec<_> =
                    self.log.iter().filter(|record| record.outlet == standing.outlet).collect();
                (!own.is_empty()).then(|| {
                    revert(own[index % own.len()], &signature, &standing, &self.head, at).unwrap()
                })
            }
        };
        if let Some(event) = event {
            self.append(&event);
        }
    }

    fn append(&mut self, event: &LedgerEvent) {
        let record = event.record();
        let row = self.rows.entry(record.outlet.to_string()).or_insert_with(|| OutletRow {
            domain: record.outlet.to_string(),
            name: None,
            score: 0.5,
            seeded: None,
            last_event: None,
        });
        row.score = record.after;
        row.last_event = Some(record.seq);
        if record.name.is_some() {
            row.name.clone_from(&record.name);
        }
        self.head = event.head();
        self.log.push(record.clone());
    }

    fn verify(&self) -> Result<Sound, Fault> {
        self.verify_against(None)
    }

    fn verify_against(&self, anchor: Option<Anchor>) -> Result<Sound, Fault> {
        let codes = self.codebook.codes().map(|code| (code.name.clone(), code.weight));
        let mut verifier = Verifier::new().with_codebook(codes).with_anchor(anchor);
        for record in &self.log {
            verifier.event(record)?;
        }
        verifier.finish(&self.head, self.rows.values().cloned())
    }
}

fn action() -> impl Strategy<Value = Action> {
    let score = (0u32..=1000).prop_map(|n| f64::from(n) / 1000.0);
    prop_oneof![
        3 => (prop::collection::vec(0usize..3, 1..3), 0.0..=1.0f64, prop::option::of("[a-z]{1,8}"))
            .prop_map(|(codes, alpha, note)| Action::Nudge { codes, alpha, note }),
        1 => score.clone().prop_map(Action::Set),
        1 => (score, prop::option::of("[A-Z][a-z]{1,8}"))
            .prop_map(|(score, name)| Action::Import { score, name }),
        1 => any::<usize>().prop_map(Action::Revert),
    ]
}

fn book() -> impl Strategy<Value = Book> {
    prop::collection::vec((0usize..4, action()), 1..30)
        .prop_map(|actions| Book::of(&actions))
        .prop_filter("at least one event", |book| !book.log.is_empty())
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.log).finish()
    }
}

/// Every field of a record, changed a little.
fn tampered(record: &EventRecord) -> Vec<(&'static str, EventRecord)> {
    let flip = |text: &str| {
        let last = text.chars().last().unwrap_or('x');
        let other = if last == 'a' { 'b' } else { 'a' };
        text.chars().take(text.chars().count().saturating_sub(1)).chain([other]).collect::<String>()
    };
    let flip_maybe = |text: &Option<String>| match text {
        Some(text) => Some(flip(text)),
        None => Some("x".to_owned()),
    };
    let nearby = |value: f64| f64::from_bits(value.to_bits() ^ 1);
    let nearby_maybe = |value: Option<f64>| value.map_or(Some(1.0), |value| Some(nearby(value)));
    let mut all = Vec::new();
    let mut with = |what, change: &dyn Fn(&mut EventRecord)| {
        let mut copy = record.clone();
        change(&mut copy);
        assert_ne!(&copy, record, "{what} was not changed");
        all.push((what, copy));
    };
    with("seq", &|r| r.seq += 1);
    with("at", &|r| r.at.0 += 1);
    with("kind", &|r| {
        let kinds = EventKind::ALL;
        let place = kinds.iter().position(|kind| *kind == r.kind).unwrap();
        r.kind = kinds[(place + 1) % kinds.len()];
    });
    with("outlet", &|r| r.outlet = Outlet::new(&format!("x{}", r.outlet)).unwrap());
    with("name", &|r| r.name = flip_maybe(&r.name));
    with("before", &|r| r.before = nearby(r.before));
    with("after", &|r| r.after = nearby(r.after));
    with("alpha", &|r| r.alpha = nearby_maybe(r.alpha));
    with("target", &|r| r.target = nearby_maybe(r.target));
    with("codes", &|r| match r.codes.pop() {
        Some(_) => {}
        None => r.codes = WeighedCode::parse_text("source-unreliable=-1").unwrap(),
    });
    with("subject", &|r| {
        r.subject.kind = match r.subject.kind {
            SubjectKind::Outlet => SubjectKind::Article,
            _ => SubjectKind::Outlet,
        };
    });
    with("reference", &|r| r.subject.reference = flip_maybe(&r.subject.reference));
    with("by", &|r| r.by = flip(&r.by));
    with("note", &|r| r.note = flip_maybe(&r.note));
    with("provenance", &|r| r.provenance = flip_maybe(&r.provenance));
    with("reverts", &|r| r.reverts = Some(r.reverts.map_or(1, |seq| seq + 1)));
    with("previous", &|r| r.previous = flip(&r.previous));
    with("hash", &|r| r.hash = flip(&r.hash));
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_was_honestly_written_verifies(book in book()) {
        let sound = book.verify().unwrap();
        prop_assert_eq!(sound.events, i64::try_from(book.log.len()).unwrap());
        prop_assert_eq!(sound.outlets, book.rows.len());
        for row in book.rows.values() {
            prop_assert!((0.0..=1.0).contains(&row.score));
        }
    }

    #[test]
    fn any_changed_field_is_found_at_its_event(mut book in book(), at in any::<prop::sample::Index>()) {
        let at = at.index(book.log.len());
        let honest = book.log[at].clone();
        for (what, copy) in tampered(&honest) {
            book.log[at] = copy;
            let fault = book.verify().unwrap_err();
            prop_assert_eq!(fault.event, Some(honest.seq), "{}: {}", what, fault);
        }
    }

    #[test]
    fn a_changed_field_with_a_new_hash_is_still_found(
        mut book in book(), at in any::<prop::sample::Index>()
    ) {
        let at = at.index(book.log.len());
        let honest = book.log[at].clone();
        for (what, mut copy) in tampered(&honest) {
            if what == "hash" {
                continue;
            }
            copy.hash = encode::event_hash(&copy);
            book.log[at] = copy;
            let fault = book.verify().unwrap_err();
            let expected = if what == "previous" && at > 0 { honest.seq - 1 } else { honest.seq };
            prop_assert_eq!(fault.event, Some(expected), "{}: {}", what, fault);
        }
    }

    #[test]
    fn a_dropped_event_is_named(mut book in book(), at in any::<prop::sample::Index>()) {
        let at = at.index(book.log.len());
        let gone = book.log.remove(at);
        let fault = book.verify().unwrap_err();
        prop_assert_eq!(fault, Fault::in_event(gone.seq, Flaw::Missing));
    }

    #[test]
    fn a_cut_off_end_is_named(mut book in book(), keep in any::<prop::sample::Index>()) {
        let keep = keep.index(book.log.len());
        book.log.truncate(keep);
        let expected = i64::try_from(keep).unwrap() + 1;
        prop_assert_eq!(book.verify().unwrap_err(), Fault::in_event(expected, Flaw::Missing));
    }

    #[test]
    fn swapped_events_are_found_at_the_first(
        mut book in book(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()
    ) {
        let (a, b) = (a.index(book.log.len()), b.index(book.log.len()));
        prop_assume!(a != b);
        book.log.swap(a, b);
        let (seq_a, seq_b) = (book.log[a].seq, book.log[b].seq);
        book.log[a].seq = seq_b;
        book.log[b].seq = seq_a;
        let first = i64::try_from(a.min(b)).unwrap() + 1;
        prop_assert_eq!(book.verify().unwrap_err(), Fault::in_event(first, Flaw::Changed));
    }

    #[test]
    fn a_log_of_its_own_that_was_rewritten_to_the_end_fails_its_anchor(
        actions in prop::collection::vec((0usize..4, action()), 2..20)
    ) {
        let book = Book::of(&actions);
        prop_assume!(book.log.len() > 1);
        let noted = format!("{}:{}", book.head.seq, book.head.hash).parse::<Anchor>().unwrap();
        prop_assert!(book.verify_against(Some(noted.clone())).is_ok());
        let mut rewritten = Book::new();
        rewritten.act("wsj.com", &Action::Set(0.1));
        for (domain, action) in actions.iter().skip(1) {
            rewritten.act(DOMAINS[domain % DOMAINS.len()], action);
        }
        prop_assert!(rewritten.verify().is_ok());
        prop_assert!(rewritten.verify_against(Some(noted)).is_err());
    }
}

fn some_book() -> Book {
    Book::of(&[
        (0, Action::Nudge { codes: vec![0], alpha: 0.1, note: None }),
        (2, Action::Nudge { codes: vec![1], alpha: 0.2, note: Some("unsourced".into()) }),
        (0, Action::Revert(0)),
    ])
}

#[test]
fn an_edited_row_is_found() {
    let edit = |change: &dyn Fn(&mut OutletRow)| {
        let mut book = some_book();
        change(book.rows.get_mut("reuters.com").unwrap());
        book.verify().unwrap_err()
    };
    let fault = edit(&|row| row.score = 0.99);
    assert_eq!((fault.event, fault.outlet.as_deref()), (Some(3), Some("reuters.com")));
    assert_eq!(
        fault.to_string(),
        "outlet reuters.com (last event 3): its row says score 0.99, its events lead to 0.92"
    );
    assert!(matches!(edit(&|row| row.seeded = Some(0.5)).flaw, Flaw::Row { .. }));
    assert!(matches!(edit(&|row| row.seeded = None).flaw, Flaw::Row { .. }));
    assert!(matches!(edit(&|row| row.name = None).flaw, Flaw::Row { .. }));
    assert!(matches!(edit(&|row| row.last_event = Some(1)).flaw, Flaw::Row { .. }));
}

#[test]
fn an_added_or_removed_row_is_found() {
    let mut book = some_book();
    let stray = OutletRow { domain: "stray.example".into(), ..book.rows["wsj.com"].clone() };
    book.rows.insert("stray.example".into(), stray);
    assert_eq!(book.verify().unwrap_err().flaw, Flaw::ExtraRow);

    for domain in ["wsj.com", "gazette.example"] {
        let mut book = some_book();
        book.rows.remove(domain);
        let fault = book.verify().unwrap_err();
        assert_eq!((fault.outlet.as_deref(), fault.flaw), (Some(domain), Flaw::MissingRow));
    }
}

#[test]
fn an_edited_head_is_found() {
    let mut book = some_book();
    book.head.seq = 2;
    assert!(matches!(book.verify().unwrap_err(), Fault { event: Some(3), .. }));
    book.head.seq = 4;
    assert_eq!(book.verify().unwrap_err(), Fault::in_event(4, Flaw::Missing));
    let mut book = some_book();
    book.head.hash = book.log[0].hash.clone();
    assert!(matches!(book.verify().unwrap_err().flaw, Flaw::Head { .. }));
}

#[test]
fn a_weight_that_the_codebook_never_had_is_found() {
    let mut book = some_book();
    book.codebook = Codebook::default();
    let fault = book.verify().unwrap_err();
    assert_eq!(fault.event, Some(1));
    assert!(matches!(fault.flaw, Flaw::Code { .. }), "{fault}");
}

#[test]
fn reverting_restores_the_score_before_the_event() {
    let mut book = Book::new();
    let nudge = Action::Nudge { codes: vec![1], alpha: 0.5, note: None };
    for _ in 0..3 {
        book.act("reuters.com", &nudge);
    }
    book.act("reuters.com", &Action::Revert(0));
    assert_eq!(book.rows["reuters.com"].score, 0.92);
    book.act("reuters.com", &Action::Revert(3));
    assert_eq!(book.rows["reuters.com"].score, book.log[2].after);
    assert!(book.verify().is_ok());
}

#[test]
fn an_event_of_another_outlet_cannot_be_reverted() {
    let book = some_book();
    let signature = Signature::new("Ada", None).unwrap();
    let standing = book.standing("wired.com");
    let refused = revert(&book.log[0], &signature, &standing, &book.head, Timestamp(0));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "event 1 is about reuters.com, not about wired.com"
    );
}

#[test]
fn codes_that_cancel_out_are_recorded_and_move_nothing() {
    let mut book = Book::new();
    book.act("wired.com", &Action::Nudge { codes: vec![0, 1], alpha: 0.9, note: None });
    assert_eq!(book.log[0].target, None);
    assert_eq!((book.log[0].before, book.log[0].after), (0.72, 0.72));
    assert!(book.verify().is_ok());
}

#[test]
fn an_anchor_is_read_as_it_is_printed() {
    let head = Head::genesis();
    assert!(format!("{}:{}", head.seq, head.hash).parse::<Anchor>().is_ok());
    for text in ["", "7", "7:abc", "-1:00", &format!("x:{}", head.hash)] {
        assert!(text.parse::<Anchor>().is_err(), "{text}");
    }
}
