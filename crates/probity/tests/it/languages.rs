//! Whole reports on questions in other languages: our own words are in the question's, the shape stays.

use std::fs;

use probity_report::parse::parse;

use crate::program::{Program, Ran};

/// A question with the document that answers it, and what our own words are then.
struct Asked {
    question: &'static str,
    title: &'static str,
    text: &'static str,
    says: [&'static str; 3],
}

const ASKED: [Asked; 3] = [
    Asked {
        question: "Wie viele Fahrgäste beförderte die Fähre von Port Ellery im Jahr 2025?",
        title: "Fährzahlen veröffentlicht",
        text: "Die Fähre von Port Ellery beförderte im Jahr 2025 rund 401.000 Fahrgäste, teilte das Hafenamt mit.",
        says: [
            "Eine Quelle sagt das.",
            "Es wurden keine wesentlichen Widersprüche gefunden.",
            "Kein Sprachmodell hat diesen Bericht geschrieben",
        ],
    },
    Asked {
        question: "¿Cuántos pasajeros llevó el transbordador de Port Ellery en el año 2025?",
        title: "Cifras del transbordador",
        text: "El transbordador de Port Ellery llevó en el año 2025 a unos 401.000 pasajeros, según la oficina del puerto.",
        says: [
            "Lo dice una sola fuente.",
            "No se encontró información contradictoria importante.",
            "Ningún modelo de lenguaje escribió este informe",
        ],
    },
    Asked {
        question: "Hoeveel passagiers vervoerde de veerboot van Port Ellery in het jaar 2025?",
        title: "Cijfers van de veerboot",
        text: "De veerboot van Port Ellery vervoerde in het jaar 2025 ongeveer 401.000 passagiers, zegt het havenkantoor.",
        says: [
            "Eén bron zegt dit.",
            "Er is geen tegenstrijdige informatie van belang gevonden.",
            "Geen taalmodel schreef dit verslag",
        ],
    },
];

fn ask(program: &Program, asked: &Asked, question: &str) -> Ran {
    let folder = program.home.path().join("shelf");
    fs::create_dir_all(&folder).unwrap();
    let page =
        format!("---\ntitle: {}\ndate: 2026-02-01\n---\n\n# {0}\n\n{}\n", asked.title, asked.text);
    fs::write(folder.join("ferry.md"), page).unwrap();
    program.run(&["research", question, "--library", folder.to_str().unwrap(), "--no-save"])
}

#[test]
fn a_question_in_another_language_gets_our_words_in_it_under_the_same_headings() {
    for asked in &ASKED {
        let report = ask(&Program::new(), asked, asked.question).ok();
        assert!(report.contains("401.000"), "{report}");
        for says in asked.says {
            assert!(report.contains(says), "{says}: {report}");
        }
        for english in ["search queries", "was relevant", "language model", "No significant"] {
            assert!(!report.contains(english), "{english}: {report}");
        }
        let (_, report) = report.split_once('\n').unwrap();
        let parsed = parse(report).unwrap();
        assert_eq!(parsed.sources.len(), 1, "the shape is read as ever");
    }
}

#[test]
fn a_question_that_nothing_answers_is_told_so_in_its_language() {
    let ran = ask(
        &Program::new(),
        &ASKED[0],
        "Wie hoch ist der Turm auf der Insel und wer hat ihn gebaut?",
    );
    assert_eq!(ran.code(), 3, "{}", ran.stderr());
    let report = ran.stdout();
    assert!(report.contains("# Zu wenig gefunden, um „Wie hoch ist der Turm"), "{report}");
    assert!(report.contains("Gesucht wurde nach"), "{report}");
}
