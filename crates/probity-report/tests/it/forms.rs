//! Every form that a statement can have, in every format.

use probity_core::{Candidate, Decision, SourceId, Verdict};
use probity_reader::{Stop, TextReader};
use probity_report::assemble::{Body, CheckedStatement, SourceText, Texts};
use probity_report::check::Support;
use probity_report::draft::{Conflict, Draft, Form, Statement, Theme};
use probity_report::html::html;
use probity_report::markdown::markdown;
use probity_report::parse::{Parsed, ParsedBlock, parse};
use probity_report::{CheckedReport, OnUnverified, assemble};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq};

use crate::sample::{by_words, candidate, facts};

const HALLS: &str = "The Great Hall costs 900 crowns on a Saturday and holds 240 guests. \
    The Boathouse costs 450 crowns on a Saturday and holds 80 guests. \
    The Orangery, which has no kitchen of its own, costs 300 crowns on a Saturday and holds 40 guests. \
    We let neither the Great Hall nor the Boathouse on Mondays, and we never will. \
    Bring the deposit. Sign the lease. Collect the keys.";
const HISTORY: &str = "In May 1901 the Great Hall burned down. The Great Hall was rebuilt in 1904. \
    Tickets cost 12 crowns. The Boathouse was added in 1957. Dogs are welcome in the yard. \
    The Great Hall costs 850 crowns on a Saturday.";
const QUOTED: &str =
    "We let neither the Great Hall nor the Boathouse on Mondays, and we never will.";

/// What the two sources say.
fn texts() -> Texts {
    [(SourceId(0), HALLS.into()), (SourceId(1), HISTORY.into())].into()
}

fn columns() -> Vec<String> {
    ["Hall", "Guests", "Saturday"].map(str::to_owned).to_vec()
}

fn row(text: &str, cells: [&str; 3]) -> Statement {
    let cells = cells.map(str::to_owned).to_vec();
    shown(text, 0, Form::Row { columns: columns(), cells })
}

fn shown(text: &str, source: u32, form: Form) -> Statement {
    Statement { form, ..Statement::citing(text, SourceId(source)) }
}

fn draft() -> Draft {
    let prose = |text: &str, source| shown(text, source, Form::Prose);
    let step = |text: &str| shown(text, 0, Form::Item { ordered: true });
    let item = |text: &str| shown(text, 1, Form::Item { ordered: false });
    let entry = |when: &str, text: &str| shown(text, 1, Form::Entry { when: when.to_owned() });
    let prices = vec![
        prose("The Great Hall costs 900 crowns on a Saturday.", 0),
        row(
            "The Great Hall costs 900 crowns on a Saturday and holds 240 guests.",
            ["Great Hall", "240", "900 crowns"],
        ),
        row(
            "The Boathouse costs 450 crowns on a Saturday and holds 80 guests.",
            ["Boathouse", "80", "450 crowns"],
        ),
        row(
            "The Orangery, which has no kitchen of its own, costs 300 crowns on a Saturday and holds 40 guests.",
            ["Orangery, which has no kitchen of its own", "40", "300 crowns"],
        ),
        row("The Loft costs 99 crowns on a Saturday.", ["Loft", "", "99 crowns"]),
        shown(QUOTED, 0, Form::Quote),
        shown("Mondays are for dancing lessons.", 0, Form::Quote),
        shown(
            "A Saturday in the Great Hall costs twice what one in the Boathouse does.",
            0,
            Form::Inference { from: vec![1, 2] },
        ),
        shown("Nobody can pay that.", 0, Form::Inference { from: vec![77] }),
    ];
    let booking = vec![
        step("Bring the deposit."),
        step("Sign the lease."),
        step("Collect the keys."),
        item("Tickets cost 12 crowns."),
        item("Dogs are welcome in the yard."),
    ];
    let past = vec![
        entry("May 1901", "In May 1901 the Great Hall burned down."),
        entry("1904", "The Great Hall was rebuilt in 1904."),
        entry("1957", "The Boathouse was added."),
        entry("2001", "The Loft burned down."),
    ];
    let theme = |heading: &str, statements| Theme { heading: heading.to_owned(), statements };
    Draft {
        headline: "A Saturday in the Great Hall costs 900 crowns".to_owned(),
        themes: vec![
            theme("What the halls cost", prices),
            theme("How to book one", booking),
            theme("The halls over time", past),
        ],
        conflicts: vec![Conflict {
            statements: vec![
                prose("The Great Hall costs 900 crowns on a Saturday.", 0),
                shown("The Great Hall costs 850 crowns on a Saturday.", 1, Form::Quote),
            ],
            on_answer: false,
        }],
        ..Draft::default()
    }
}

/// A report in which statements have every form there is.
pub(crate) fn every_form() -> CheckedReport {
    let mut candidates: Vec<Candidate> = (0..2)
        .map(|id| {
            candidate(id, Verdict::Read, ["Halls to let", "The halls, a history"][id as usize])
        })
        .collect();
    candidates[0].published = Some(jiff::civil::date(2025, 7, 19));
    candidates[1].published = None;
    let facts = facts(candidates, "What does a hall cost?", Decision::FullReport);
    by_words(draft(), facts, &texts(), OnUnverified::Mark)
}

/// Holds what the Markdown says under its headings against what was assembled.
pub(crate) fn check(report: &CheckedReport, parsed: &Parsed) -> Result<(), TestCaseError> {
    let Body::Report { themes, .. } = report.body() else { panic!("no findings") };
    prop_assert_eq!(parsed.themes.len(), themes.len());
    for (read, theme) in parsed.themes.iter().zip(themes) {
        prop_assert!(!read.blocks.is_empty(), "{} is empty", read.heading);
        let mut statements = theme.statements.as_slice();
        let mut prose = false;
        for block in &read.blocks {
            // A long paragraph is divided; the first part has taken all of its statements.
            if prose && is_more_prose(block, statements) || says_whose(block, statements) {
                continue;
            }
            prose = matches!(block, ParsedBlock::Text(_)) && statements[0].form.is_prose();
            let taken = statements_in(block, statements)?;
            statements = &statements[taken..];
        }
        prop_assert!(statements.is_empty(), "{} are not shown", statements.len());
    }
    Ok(())
}

/// Whether a text after a paragraph is a part of it, and no quotation that follows.
fn is_more_prose(block: &ParsedBlock, statements: &[CheckedStatement]) -> bool {
    let quotes = |text: &str| {
        let quote = statements.first().filter(|next| next.form == Form::Quote);
        quote.is_some_and(|quote| text.contains(&format!(": “{}” [", quote.text)))
    };
    matches!(block, ParsedBlock::Text(text) if !quotes(text))
}

/// Whether a text only says whose list or table follows.
fn says_whose(block: &ParsedBlock, statements: &[CheckedStatement]) -> bool {
    let follows = statements
        .first()
        .is_some_and(|next| matches!(next.form, Form::Item { .. } | Form::Row { .. }));
    follows && matches!(block, ParsedBlock::Text(text) if text.ends_with(':'))
}

/// How many statements a block shows; fails where it shows something else.
fn statements_in(
    block: &ParsedBlock,
    statements: &[CheckedStatement],
) -> Result<usize, TestCaseError> {
    let first = &statements[0];
    let clean = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match block {
        ParsedBlock::Text(text) if first.form == Form::Quote => {
            prop_assert!(text.contains(&format!(": “{}” [", first.text)), "{}", text);
            Ok(1)
        }
        ParsedBlock::Text(text) => {
            let together = statements.iter().take_while(|s| s.form.is_prose()).count();
            prop_assert!(together > 0, "{:?} as {}", first.form, text);
            Ok(together)
        }
        ParsedBlock::Inference(_) => {
            prop_assert!(first.form.is_inference(), "{:?}", first.form);
            Ok(1)
        }
        ParsedBlock::List { ordered, items } => {
            for statement in &statements[..items.len()] {
                prop_assert_eq!(&statement.form, &Form::Item { ordered: *ordered });
            }
            Ok(items.len())
        }
        ParsedBlock::Timeline(entries) => {
            for ((when, _), statement) in entries.iter().zip(statements) {
                let Form::Entry { when: wanted } = &statement.form else { panic!("no entry") };
                prop_assert_eq!(when, &clean(wanted));
            }
            Ok(entries.len())
        }
        ParsedBlock::Table { columns, rows } => {
            for (read, statement) in rows.iter().zip(statements) {
                let Form::Row { columns: names, cells } = &statement.form else { panic!("no row") };
                let names: Vec<&String> = names.iter().collect();
                prop_assert_eq!(columns.iter().take(names.len()).collect::<Vec<_>>(), names);
                prop_assert_eq!(read[..cells.len()].to_vec(), cells.clone());
                prop_assert_eq!(read.len(), cells.len() + 1);
            }
            Ok(rows.len())
        }
    }
}

#[test]
fn a_report_with_every_form_reads_back() {
    let report = every_form();
    let text = markdown(&report);
    let parsed = parse(&text).unwrap();
    check(&report, &parsed).unwrap();
    let kinds: Vec<&str> = parsed
        .themes
        .iter()
        .flat_map(|theme| &theme.blocks)
        .map(|block| match block {
            ParsedBlock::Text(_) => "text",
            ParsedBlock::List { ordered: true, .. } => "steps",
            ParsedBlock::List { ordered: false, .. } => "list",
            ParsedBlock::Table { .. } => "table",
            ParsedBlock::Timeline(_) => "timeline",
            ParsedBlock::Inference(_) => "inference",
        })
        .collect();
    // What was no quotation is a sentence.
    let wanted =
        ["text", "table", "text", "text", "inference", "text", "steps", "text", "list", "timeline"];
    assert_eq!(kinds, wanted, "{text}");
}

#[test]
fn who_is_quoted_and_when_is_written_by_us() {
    let text = markdown(&every_form());
    let quote = format!("s0.example.org, 19 July 2025: “{QUOTED}” [1]\n");
    assert!(text.contains(&quote), "{text}");
    let undated = "\ns1.example.org: “The Great Hall costs 850 crowns on a Saturday.” [2]\n";
    assert!(text.contains(undated), "{text}");
    assert!(!text.contains("“Mondays are for dancing"), "{text}");
    let page = html(&every_form());
    assert!(page.contains("<figcaption>s0.example.org, 19 July 2025:</figcaption>"), "{page}");
}

#[test]
fn a_conclusion_shows_what_it_is_drawn_from_and_counts_for_nothing() {
    let report = every_form();
    let drawn: Vec<&CheckedStatement> =
        report.statements().filter(|statement| statement.form.is_inference()).collect();
    assert_eq!(drawn.len(), 1, "one of them rests on nothing");
    assert_eq!(drawn[0].form, Form::Inference { from: vec![1, 2] });
    assert_eq!((drawn[0].support, drawn[0].marked), (Support::Unsupported, false));
    assert_eq!(drawn[0].cites, [1]);
    let counted = report.statements().count() - drawn.len();
    let rationale = &report.confidence().unwrap().rationale;
    assert!(rationale.contains(&format!(" of {counted} cited statements")), "{rationale}");
    let text = markdown(&report);
    assert!(text.contains("**Inferred:** A Saturday in the Great Hall costs twice"), "{text}");
    assert!(text.contains("Boathouse does (from [1])."), "{text}");
}

#[test]
fn a_conclusion_from_what_no_source_supports_is_dropped() {
    let mut draft = draft();
    let false_row = "The Great Hall costs 9,000 crowns on a Saturday and holds 240 guests.";
    draft.themes[0].statements[1] = row(false_row, ["Great Hall", "240", "9,000 crowns"]);
    let facts = every_form().facts().clone();
    let report = by_words(draft, facts, &texts(), OnUnverified::Mark);
    assert!(report.statements().all(|statement| !statement.form.is_inference()));
    assert!(markdown(&report).contains("| 9,000 crowns | [1] [unverified] |"));
}

#[test]
fn a_table_is_one_table_as_long_as_its_columns_stay() {
    let mut draft = draft();
    let mut other = row("The Boathouse costs 450 crowns.", ["Boathouse", "", "450 crowns"]);
    if let Form::Row { columns, .. } = &mut other.form {
        columns[2] = "Sunday".to_owned();
    }
    draft.themes[0].statements.insert(3, other);
    let facts = every_form().facts().clone();
    let report = by_words(draft, facts, &texts(), OnUnverified::Mark);
    let parsed = parse(&markdown(&report)).unwrap();
    let tables: Vec<usize> = parsed.themes[0]
        .blocks
        .iter()
        .filter_map(|block| match block {
            ParsedBlock::Table { rows, .. } => Some(rows.len()),
            _ => None,
        })
        .collect();
    assert_eq!(tables, [2, 1, 2]);
    assert_eq!(html(&report).matches("<figure class=\"table\">").count(), 3);
}

#[test]
fn a_row_of_sentences_may_quote_a_source_in_each_cell_and_nothing_else() {
    let texts = [
        (SourceId(0), SourceText::from("The steam tram ran until 1912. It was loud.")),
        (SourceId(1), SourceText::from("The horse tram ran until 1895. It was slow.")),
    ];
    let row = |cells: [&str; 2]| {
        let columns = vec!["Steam".to_owned(), "Horse".to_owned()];
        let form = Form::Row { columns, cells: cells.map(str::to_owned).to_vec() };
        Statement { text: cells.join(" "), cites: vec![SourceId(0), SourceId(1)], form }
    };
    let candidates =
        || vec![candidate(0, Verdict::Read, "Steam"), candidate(1, Verdict::Read, "Horse")];
    let checked = |row: Statement| {
        let theme = Theme { heading: "Two trams".to_owned(), statements: vec![row] };
        let draft = Draft { themes: vec![theme], ..Draft::default() };
        let facts = facts(candidates(), "How did the trams differ?", Decision::FullReport);
        let (reader, stop) = (TextReader::Lexical, Stop::never());
        assemble(draft, facts, &texts.clone().into(), OnUnverified::Mark, &reader, &stop).unwrap()
    };
    let good = checked(row(["The steam tram ran until 1912.", "The horse tram ran until 1895."]));
    let Body::Report { themes, .. } = good.body() else { panic!() };
    let statement = &themes[0].statements[0];
    assert_eq!((statement.support, statement.cites.len()), (Support::Supported, 2));
    let bad = checked(row(["The steam tram ran until 1912.", "The horse tram ran until 1859."]));
    let Body::Report { themes, .. } = bad.body() else { panic!() };
    assert_ne!(themes[0].statements[0].support, Support::Supported);
}
