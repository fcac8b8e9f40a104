//! What a question is after, read from its form: names, subjects, the sides of a comparison.

use probity_text::Language;
use probity_text::words::{Stemmer, Word, bare, words};

/// The most queries that a plan adds to the question itself.
const QUERIES: usize = 4;
/// The fewest content words of a query.
const QUERY_WORDS: usize = 2;

/// Words that set two things against each other, and where each pair of things stands.
const VERSUS: &[&str] = &["vs", "versus", "compared", "differ", "differs", "rather"];

/// A question taken apart.
pub(super) struct Aims {
    /// Names in the question: runs of capitalised words.
    pub(super) names: Vec<String>,
    /// Runs of content words that are no names, as they stand in the question.
    pub(super) phrases: Vec<String>,
    /// The two sides of a comparison, each a run of words.
    pub(super) sides: Option<(String, String)>,
    /// The parts of a question that asks several things.
    parts: Vec<String>,
    /// All content words, as they stand in the question.
    content: Vec<String>,
}

impl Aims {
    /// Takes a question apart.
    pub(super) fn of(question: &str) -> Self {
        let stemmer = Stemmer::new(Language::detect(question));
        let all: Vec<Word<'_>> = words(question).collect();
        let is_content = |word: &Word<'_>| stemmer.content_stem(&word.lower).is_some();
        let mut names = Vec::new();
        let mut phrases = Vec::new();
        let mut run: Vec<&Word<'_>> = Vec::new();
        let mut run_is_name = false;
        for (index, word) in all.iter().enumerate() {
            let capital = index > 0 && word.raw.starts_with(char::is_uppercase);
            let continues = is_content(word) && !run.is_empty() && capital == run_is_name;
            if !continues {
                flush(&mut run, run_is_name, &mut names, &mut phrases);
            }
            if is_content(word) {
                run.push(word);
                run_is_name = capital;
            }
        }
        flush(&mut run, run_is_name, &mut names, &mut phrases);
        let content =
            all.iter().filter(|w| is_content(w)).map(|w| bare(w.raw).to_owned()).collect();
        Self { names, phrases, sides: sides(&all, &is_content), parts: parts(question), content }
    }

    /// Focused queries beside the question itself.
    pub(super) fn queries(&self) -> Vec<String> {
        let mut queries = Vec::new();
        if let Some((one, other)) = &self.sides {
            for (side, opposite) in [(one, other), (other, one)] {
                queries.push(self.content_without(opposite, side));
            }
        }
        queries.extend(self.parts.iter().cloned());
        queries.push(self.content.join(" "));
        let names = self.names.join(" ");
        // The subject in its place: each phrase with the names that set the scene.
        for phrase in self.phrases.iter().filter(|phrase| phrase.contains(' ')) {
            queries.push(format!("{names} {phrase}").trim().to_owned());
        }
        if !names.is_empty() && !self.phrases.is_empty() {
            queries.push(self.phrases.join(" "));
        }
        queries.retain(|query| query.split_whitespace().count() >= QUERY_WORDS);
        queries.truncate(QUERIES);
        queries
    }

    /// The content words without those that belong to the other side alone.
    fn content_without(&self, unwanted: &str, wanted: &str) -> String {
        let has =
            |side: &str, word: &str| side.split_whitespace().any(|w| w.eq_ignore_ascii_case(word));
        let kept = self.content.iter().filter(|word| !has(unwanted, word) || has(wanted, word));
        let kept: Vec<&str> = kept
            .map(String::as_str)
            .filter(|w| !VERSUS.contains(&w.to_lowercase().as_str()))
            .collect();
        kept.join(" ")
    }
}

/// A title with the names of the question that the site is named after: a page of hartwell.gov speaks of
/// Hartwell without saying so.
pub(super) fn placed_title(question: &str, title: &str, url: &str) -> String {
    const LETTERS: usize = 5;
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let host = url.split("://").nth(1).unwrap_or_default().split('/').next().unwrap_or_default();
    let host = plain(host);
    let named = |name: &String| plain(name).len() >= LETTERS && host.contains(&plain(name));
    let names: Vec<String> = Aims::of(question).names.into_iter().filter(named).collect();
    if names.is_empty() { title.to_owned() } else { format!("{title} ({})", names.join(", ")) }
}

fn flush(
    run: &mut Vec<&Word<'_>>,
    is_name: bool,
    names: &mut Vec<String>,
    phrases: &mut Vec<String>,
) {
    if run.is_empty() {
        return;
    }
    let text = run.iter().map(|word| bare(word.raw)).collect::<Vec<_>>().join(" ");
    if is_name {
        names.push(text)
    } else {
        phrases.push(text)
    }
    run.clear();
}

/// What stands on each side of "compared with", "vs", "differ from" or "difference between … and".
fn sides(all: &[Word<'_>], is_content: &dyn Fn(&Word<'_>) -> bool) -> Option<(String, String)> {
    let lower = |index: usize| all.get(index).map_or("", |word| word.lower.as_ref());
    let run_from = |start: usize| {
        let run =
            all.iter().skip(start).skip_while(|w| !is_content(w)).take_while(|w| is_content(w));
        run.map(|w| bare(w.raw)).collect::<Vec<_>>()
    };
    let run_to = |end: usize| {
        let mut run: Vec<&str> = all
            .iter()
            .take(end)
            .rev()
            .skip_while(|w| !is_content(w))
            .take_while(|w| is_content(w))
            .map(|w| bare(w.raw))
            .collect();
        run.reverse();
        run
    };
    let (one, other) = (0..all.len()).find_map(|index| match lower(index) {
        "vs" | "versus" => Some((run_to(index), run_from(index + 1))),
        "compared" | "compare" if matches!(lower(index + 1), "with" | "to") => {
            Some((run_to(index), run_from(index + 2)))
        }
        "differ" | "differs" | "different" if lower(index + 1) == "from" => {
            Some((run_to(index), run_from(index + 2)))
        }
        "difference" | "differences" if lower(index + 1) == "between" => {
            let and = (index + 2..all.len()).find(|at| lower(*at) == "and")?;
            Some((run_to(and), run_from(and + 1)))
        }
        _ => None,
    })?;
    let (one, other) = (one.join(" "), other.join(" "));
    (!one.is_empty() && !other.is_empty()).then_some((one, other))
}

/// The parts of a question that asks several: at question marks, semicolons, and ", and" before a
/// question word.
fn parts(question: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for piece in question.split(['?', ';']) {
        let mut rest = piece.trim();
        while let Some(at) =
            [", and how", ", and what", ", and when", ", and why", ", and who", ", and where"]
                .iter()
                .filter_map(|joint| rest.find(joint))
                .min()
        {
            let (before, after) = rest.split_at(at);
            parts.push(before.trim().to_owned());
            rest = after.trim_start_matches(", and ").trim();
        }
        parts.push(rest.to_owned());
    }
    parts.retain(|part| !part.is_empty());
    if parts.len() < 2 { Vec::new() } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_phrases_are_told_apart() {
        let aims = Aims::of(
            "What does Port Ellery's noise ordinance say about amplified outdoor music at night?",
        );
        assert_eq!(aims.names, ["Port Ellery"]);
        assert!(aims.phrases.contains(&"noise ordinance say".to_owned()), "{:?}", aims.phrases);
        assert!(aims.phrases.contains(&"amplified outdoor music".to_owned()));
    }

    #[test]
    fn a_comparison_gives_a_query_for_each_side() {
        let aims =
            Aims::of("How does the history of rumba flamenca differ from that of Cuban rumba?");
        assert!(aims.sides.is_some());
        let queries = aims.queries();
        assert!(queries[0].contains("flamenca") && !queries[0].contains("Cuban"), "{queries:?}");
        assert!(queries[1].contains("Cuban") && !queries[1].contains("flamenca"), "{queries:?}");
    }

    #[test]
    fn a_question_of_two_parts_is_asked_in_two() {
        let aims = Aims::of("When was the bridge built, and how much did it cost?");
        let queries = aims.queries();
        assert!(queries.contains(&"When was the bridge built".to_owned()), "{queries:?}");
        assert!(queries.contains(&"how much did it cost".to_owned()), "{queries:?}");
    }

    #[test]
    fn a_site_lends_its_name_to_what_is_on_it() {
        let question = "How much did the bridge in Norfell cost?";
        let title = |url: &str| placed_title(question, "Audit of the bridge", url);
        assert_eq!(title("https://www.norfell.gov/audit"), "Audit of the bridge (Norfell)");
        assert_eq!(title("https://example.org/norfell"), "Audit of the bridge");
        let question = "How loud may music be in Port Ellery?";
        let placed = placed_title(question, "Noise", "https://code.port-ellery.example/9");
        assert_eq!(placed, "Noise (Port Ellery)");
    }

    #[test]
    fn odd_questions_do_no_harm() {
        for question in
            ["?", "vs", "difference between", "Ω", "A vs B", "compared with ", ", and how"]
        {
            Aims::of(question).queries();
        }
    }
}
