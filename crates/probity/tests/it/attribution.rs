//! Whole reports in which the kinds of outlets matter: who speaks for himself is named, and what is only rated is no answer.

use std::fs;

use crate::program::Program;

const QUESTION: &str = "How many passengers did the ferry of Port Ellery carry in 2025?";

/// A document of an outlet whose kind is known, or of a town's own.
const SHELF: [(&str, &str, &str); 4] = [
    (
        "rt.com",
        "The ferry year in review",
        "The ferry of Port Ellery carried 412,000 passengers in 2025, more than in any year before.",
    ),
    (
        "microsoft.com",
        "Ferries on our maps",
        "The ferry of Port Ellery carried 398,000 passengers in 2025 by our own count.",
    ),
    (
        "portellery.example.org",
        "Ferry figures published",
        "The harbour office says that the ferry of Port Ellery carried 401,000 passengers in 2025.",
    ),
    (
        "snopes.com",
        "Did the ferry carry 900,000 people?",
        "Claim: The ferry of Port Ellery carried 900,000 passengers in 2025.\n\nRating: False\n\nThe figure was made \
         up for a post. The harbour office keeps the tickets of every passenger of the ferry.",
    ),
];

fn report(program: &Program) -> String {
    let folder = program.home.path().join("shelf");
    fs::create_dir_all(&folder).unwrap();
    for (outlet, title, text) in SHELF {
        let page = format!(
            "---\ntitle: {title}\noutlet: {outlet}\ndate: 2026-02-01\n---\n\n# {title}\n\n{text}\n"
        );
        fs::write(folder.join(format!("{outlet}.md")), page).unwrap();
    }
    let args = ["research", QUESTION, "--library", folder.to_str().unwrap(), "--no-save"];
    program.run(&args).ok()
}

#[test]
fn who_speaks_for_himself_is_named_before_his_words_and_others_are_not() {
    let report = report(&Program::new());
    let (found, _) = report.split_once("\n## Sources").unwrap();
    let before = |figure: &str| -> Vec<String> {
        let places = found.match_indices(figure).map(|(at, _)| at);
        places.map(|at| found[..at].rsplit(['.', '”', '\n']).next().unwrap().to_owned()).collect()
    };
    for (figure, words) in [
        ("398,000", "The company says (Ferries on our maps, 1 February 2026): “"),
        (
            "412,000",
            "According to state-controlled media (The ferry year in review, 1 February 2026): “",
        ),
    ] {
        let before = before(figure);
        assert_ne!(before.len(), 0, "{figure} is missing: {report}");
        assert!(before.iter().all(|one| one.contains(words)), "{figure}: {before:#?}");
    }
    let own = before("401,000");
    assert!(!own.is_empty() && own.iter().all(|one| !one.contains('(')), "{own:#?}");
}

#[test]
fn a_figure_that_a_fact_check_rates_false_is_told_as_rated_and_never_leads_or_contradicts() {
    let report = report(&Program::new());
    let headline = report.lines().find(|line| line.starts_with("# ")).unwrap();
    assert!(!headline.contains("900,000"), "{report}");
    let (found, _) = report.split_once("\n## Sources").unwrap();
    for line in found.lines().filter(|line| line.contains("900,000") && !line.starts_with('#')) {
        assert!(
            line.contains("Fact check: the claim that") && line.contains("is rated “False”"),
            "{line}"
        );
    }
    let (_, conflicts) = found.split_once("## Conflicting Information").unwrap();
    assert!(!conflicts.contains("900,000"), "{conflicts}");
}
