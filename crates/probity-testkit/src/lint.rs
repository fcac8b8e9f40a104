//! What a reader of any report would stumble over, found in its Markdown.
//!
//! A report that says where the sources fall short has no themes; its headline is held to the same.

use std::collections::HashSet;

/// The most words of a headline.
const HEADLINE_WORDS: usize = 25;
/// So many first letters tell one word from another, whatever its ending.
const STEM: usize = 5;
/// Shorter words carry no topic.
const TOPIC_LETTERS: usize = 4;
/// Small verbs, which stand in most clauses, with "n't" and without.
const AUXILIARIES: [&str; 24] = [
    "is", "are", "was", "were", "am", "be", "been", "do", "does", "did", "has", "have", "had",
    "can", "could", "will", "would", "shall", "should", "may", "might", "must", "cannot", "won",
];
/// Past tenses that do not end in "-ed".
const IRREGULAR: &str = "arose ate became began bent bet bit bled blew bought bound bred broke brought built burnt \
    burst came cast caught chose clung cost crept cut dealt dealt drank dreamt drew drove dug fed fell felt fled \
    flew forbade forgot forgave fought found froze gave got grew ground held heard hid hit hung hurt kept knelt knew \
    laid lay led left lent let lit lost made meant met misled mistook outdid overcame paid put quit ran rang read rode \
    rose said sang sank sat saw sent set sewed shed shone shook shot shrank shut slept slid sold sought sowed spent \
    split spoke sprang spread stole stood struck stuck stung swam swept swore swung taught thought threw told took \
    tore understood undertook undid upset went wept withdrew withheld withstood woke won wore wound wove wrote";
/// A clause has a subject and a verb, and says something of it.
const CLAUSE_WORDS: usize = 3;
/// A heading of one word names no part of a question.
const HEADING_WORDS: usize = 2;
/// Words that a whole clause does not end with: what ends so was cut off.
const CUT_AFTER: [&str; 22] = [
    "a", "an", "the", "and", "or", "but", "nor", "of", "than", "because", "although", "while",
    "if", "whether", "which", "whose", "its", "their", "our", "my", "your", "his",
];

/// What is wrong with the headline and the headings of a report, each in a sentence.
pub fn faults(markdown: &str) -> Vec<String> {
    let title = markdown.lines().next().and_then(|line| line.strip_prefix("# "));
    let mut faults = headline(title.unwrap_or_default());
    let is_ours = markdown.contains(BY_RULE);
    if is_ours && !has_verb(title.unwrap_or_default()) {
        faults.push(format!("the headline `{}` has no verb", title.unwrap_or_default()));
    }
    if is_ours {
        faults.extend(strays(markdown));
        faults.extend(long_summary(markdown));
        faults.extend(repeats(markdown));
        faults.extend(nobodys(markdown));
        faults.extend(bare(title.unwrap_or_default()));
    }
    let mut theme: Option<(&str, bool)> = None;
    let mut close = |theme: &mut Option<(&str, bool)>| {
        if let Some((heading, false)) = theme.take() {
            faults.push(format!("nothing stands under the heading `{heading}`"));
        }
    };
    let mut headings = Vec::new();
    for line in markdown.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            close(&mut theme);
            theme = Some((heading, false));
            headings.push(heading);
        } else if line.starts_with("## ") {
            close(&mut theme);
        } else if let Some((_, has_text)) = &mut theme {
            *has_text |= !line.trim().is_empty();
        }
    }
    close(&mut theme);
    faults.extend(first_person(markdown, is_ours));
    for heading in headings {
        if heading.split_whitespace().count() < HEADING_WORDS {
            faults.push(format!("the heading `{heading}` has fewer than {HEADING_WORDS} words"));
        }
        if heading.ends_with('…') {
            faults.push(format!("the heading `{heading}` is cut off"));
        }
        if is_ours && (heading.ends_with('?') || speaks(&own_words(heading))) {
            faults.push(format!("the heading `{heading}` is in the voice of its source"));
        }
    }
    faults
}

/// How a report says that no language model wrote it: then its sentences were chosen, and each has to bear on the question.
const BY_RULE: &str = "No language model wrote this report";

/// The most words of an executive summary that is read at a glance.
const SUMMARY_WORDS: usize = 200;

/// Whether a text has a finite verb: a small one, a past tense, or a third person.
fn has_verb(text: &str) -> bool {
    let all = words(text);
    // The name of the title is not the verb of its clause.
    let later = all.iter().skip(1);
    let is_verb = |word: &&String| {
        let word = word.as_str();
        let small = AUXILIARIES.contains(&word.strip_suffix("n't").unwrap_or(word));
        let past = word.len() > 4 && word.ends_with("ed");
        let third = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
        small || past || third || IRREGULAR.split_whitespace().any(|one| one == word)
    };
    later.clone().any(|word| is_verb(&word)) || all.first().is_some_and(|one| is_verb(&one))
}

/// The words of a text in small letters.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The beginnings of the words of a text that carry its topic.
fn topics(text: &str) -> HashSet<String> {
    let all = words(text).into_iter();
    all.filter(|word| word.len() >= TOPIC_LETTERS || word.contains(|c: char| c.is_ascii_digit()))
        .map(|word| word.chars().take(STEM).collect())
        .collect()
}

/// A section of a report.
fn section<'a>(markdown: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let rest = markdown.split(&format!("\n## {name}\n")).nth(1).unwrap_or_default();
    rest.split("\n## ").next().unwrap_or_default().lines().filter(|line| !line.trim().is_empty())
}

/// Findings that have no word with the question, the headline or their own heading in common.
fn strays(markdown: &str) -> Vec<String> {
    let title = markdown.lines().next().unwrap_or_default();
    let question = markdown.lines().find_map(|line| line.strip_prefix("- **Initial Question:** "));
    let mut asked = topics(question.unwrap_or_default());
    asked.extend(topics(title));
    let mut heading = HashSet::new();
    let mut strays = Vec::new();
    for line in section(markdown, "Main Findings") {
        if let Some(name) = line.strip_prefix("### ") {
            heading = topics(name);
            continue;
        }
        // A list or a table bears on the question as a whole, with the line that says whose it is.
        let is_part = line.starts_with(['-', '|'])
            || line.starts_with(|c: char| c.is_ascii_digit())
            || line.ends_with(':');
        let own = topics(line);
        if !is_part && own.is_disjoint(&asked) && own.is_disjoint(&heading) {
            strays.push(format!("`{line}` has nothing to do with the question"));
        }
    }
    strays
}

/// Lists and tables of one source below a sentence of another, without a line that says whose they are.
fn nobodys(markdown: &str) -> Vec<String> {
    let cites = |line: &str| -> Vec<String> {
        let marks =
            line.match_indices('[').filter_map(|(at, _)| line.get(at + 1..)?.split(']').next());
        let numbers =
            marks.filter(|mark| !mark.is_empty() && mark.bytes().all(|b| b.is_ascii_digit()));
        numbers.map(str::to_owned).collect()
    };
    let is_entry = |line: &&str| {
        line.starts_with(['-', '|'])
            || line.split_once(". ").is_some_and(|(n, _)| n.parse::<u8>().is_ok())
    };
    let lines: Vec<&str> = section(markdown, "Main Findings").collect();
    let mut faults = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_entry(line)) {
        let before =
            at.checked_sub(1).and_then(|before| lines.get(before)).copied().unwrap_or_default();
        if is_entry(&before) || before.ends_with(':') {
            continue;
        }
        let entries =
            lines.iter().skip(at).take_while(|line| is_entry(line)).map(|line| cites(line));
        let own: HashSet<Vec<String>> = entries.filter(|cites| !cites.is_empty()).collect();
        let last = cites(before);
        let one = own.iter().next().filter(|_| own.len() == 1);
        let is_whole = lines.iter().skip(at).take_while(|line| is_entry(line)).count() > 1;
        if is_whole && one.is_some_and(|own| own.len() == 1 && !last.ends_with(own)) {
            faults.push(format!("`{line}` begins a list that is nobody's"));
        }
    }
    faults
}

/// A summary that is as long as the findings is none.
fn long_summary(markdown: &str) -> Option<String> {
    let length: usize =
        section(markdown, "Executive Summary").map(|line| line.split_whitespace().count()).sum();
    (length > SUMMARY_WORDS).then(|| format!("the summary has {length} words"))
}

/// Headings with a word that neither the question nor any of the sources has.
pub fn foreign_headings(markdown: &str, texts: &[&str]) -> Vec<String> {
    let question = markdown.lines().find_map(|line| line.strip_prefix("- **Initial Question:** "));
    let known: HashSet<String> = texts.iter().copied().chain(question).flat_map(words).collect();
    let ours = topics("What the sources say What happened when and");
    let headings = markdown.lines().filter_map(|line| line.strip_prefix("### "));
    let is_foreign = |heading: &&str| {
        let strange = |word: &String| !known.contains(word);
        words(heading).iter().any(strange) && !topics(heading).is_subset(&ours)
    };
    let said = |heading: &str| format!("the heading `{heading}` is no text of a source");
    headings.filter(is_foreign).map(said).collect()
}

/// What points at something that only the sentence before it names.
const POINTING: [&str; 5] = ["this", "these", "it", "they", "here"];
/// The fewest words that are worth quoting as a headline.
const QUOTED_WORDS: usize = 3;

/// A headline that quotes a value without what it is the value of, or speaks of something that it does not name.
fn bare(title: &str) -> Option<String> {
    let quoted = title.strip_prefix('“').and_then(|rest| Some(rest.split_once("”, says ")?.0));
    let is_short = quoted.is_some_and(|text| text.split_whitespace().count() < QUOTED_WORDS);
    let first = words(title).into_iter().next().unwrap_or_default();
    let points = quoted.is_none() && POINTING.contains(&first.as_str());
    (is_short || points).then(|| format!("the headline `{title}` does not say of what it speaks"))
}

/// Findings that stand in a report twice, and sources that a summary names twice in a row.
fn repeats(markdown: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let findings = section(markdown, "Main Findings").filter(|line| !line.starts_with(['#', '|']));
    let twice = findings.filter(|line| !seen.insert(*line));
    let mut faults: Vec<String> = twice.map(|line| format!("`{line}` is told twice")).collect();
    for line in section(markdown, "Executive Summary") {
        let by: Vec<&str> =
            line.split(": “").map(|part| part.rsplit('”').next().unwrap_or(part)).collect();
        let named = |pair: &&[&str]| pair.first() == pair.last() && pair.first() != Some(&"");
        let trimmed: Vec<&str> = by.iter().map(|by| by.trim()).collect();
        faults.extend(
            trimmed
                .windows(2)
                .find(named)
                .map(|pair| format!("`{}` is named twice in a row", pair.concat())),
        );
    }
    faults
}

/// A line without its quotations.
fn own_words(line: &str) -> String {
    let (mut quoted, mut titled) = (0_u32, false);
    line.chars()
        .filter(|c| {
            quoted = match c {
                '“' => quoted + 1,
                '”' => quoted.saturating_sub(1),
                _ => quoted,
            };
            titled ^= *c == '"';
            quoted == 0 && !titled
        })
        .collect()
}

/// Whether a text speaks of "us".
fn speaks(own: &str) -> bool {
    const SPEAKING: [&str; 7] = ["i", "we", "our", "ours", "us", "my", "me"];
    own.split(|c: char| !c.is_alphanumeric())
        .any(|word| word != "US" && SPEAKING.contains(&word.to_lowercase().as_str()))
}

/// Whether a text tells a time that only its own day makes one: "last summer".
fn is_relative(own: &str) -> bool {
    const TIMES: [&str; 9] =
        ["week", "month", "year", "summer", "winter", "spring", "autumn", "night", "season"];
    let all = words(own);
    let by_itself = |word: &String| matches!(word.as_str(), "yesterday" | "tomorrow");
    let counted = |pair: &[String]| matches!(pair, [which, time] if (which == "last" || which == "next") && TIMES.contains(&time.as_str()));
    all.iter().any(by_itself) || all.windows(2).any(counted)
}

/// Where summary or findings speak of "us" or of "last summer": only a quotation may, and it says who speaks and when.
fn first_person(markdown: &str, is_ours: bool) -> Vec<String> {
    let mut section = "";
    let mut faults = Vec::new();
    for line in markdown.lines() {
        section = line.strip_prefix("## ").unwrap_or(section);
        if !matches!(section, "Executive Summary" | "Main Findings") || line.starts_with('#') {
            continue;
        }
        let own = own_words(line);
        if speaks(&own) {
            faults.push(format!("`{line}` speaks in the first person"));
        }
        if is_ours && is_relative(&own) {
            faults.push(format!("`{line}` does not say when"));
        }
    }
    faults
}

/// What keeps a headline from being a whole clause of bounded length.
pub fn headline(title: &str) -> Vec<String> {
    let words: Vec<&str> = title.split_whitespace().collect();
    let last = words.last().map(|word| word.to_lowercase()).unwrap_or_default();
    let said = |what: &str| format!("the headline `{title}` {what}");
    let wrong = [
        (words.len() < CLAUSE_WORDS, "is no clause"),
        (words.len() > HEADLINE_WORDS, "is too long"),
        (title.ends_with('.'), "ends with a full stop"),
        (title.contains('…') || title.ends_with("..."), "is cut off"),
        (title.ends_with([',', ';', ':', '–', '—', '(']), "ends in the middle"),
        (CUT_AFTER.contains(&last.as_str()), "ends in the middle"),
        (title.starts_with(char::is_lowercase), "begins in the middle"),
    ];
    wrong.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, what)| said(what)).collect()
}

/// Holds a report to all of it.
///
/// # Panics
/// When a reader would stumble.
#[track_caller]
pub fn check(markdown: &str) {
    let faults = faults(markdown);
    assert!(faults.is_empty(), "{}\n{markdown}", faults.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_well_has_no_fault() {
        let report = "# Music must stop at 10 pm\n\n## Main Findings\n\n### Hours and permits\n\n\
            It must [1].\n\nThe Courier: “We heard it.” [1]\n\n## Conflicting Information\n\nNone.\n";
        assert_eq!(faults(report), Vec::<String>::new());
    }

    #[test]
    fn cut_and_empty_parts_are_found() {
        for (report, fault) in [
            ("# Music must stop at 10 pm.\n", "full stop"),
            ("# Music must stop because it …\n", "cut off"),
            ("# Music must stop at the\n", "in the middle"),
            ("# music must stop at ten\n", "begins"),
            ("# Silence\n", "no clause"),
            ("# Music must stop\n\n### Hours\n\nAt 10 pm.\n", "fewer than 2"),
            ("# Music must stop\n\n### Hours and days\n\n## Sources\n", "nothing stands"),
            ("# Music must stop\n\n### Hours and days\n", "nothing stands"),
            ("# Music must stop\n\n## Executive Summary\n\nOur diary says so.\n", "first person"),
        ] {
            let found = faults(report);
            assert!(found.len() == 1 && found[0].contains(fault), "{report:?}: {found:?}");
        }
        assert!(faults(&format!("# {}\n", "So it is ".repeat(9))).len() == 1);
    }

    #[test]
    fn what_was_chosen_by_rule_has_to_bear_on_the_question() {
        let report = |title: &str, summary: &str, found: &str| {
            format!(
                "# {title}\n\n- **Initial Question:** When must music stop?\n\n## Executive Summary\n\n{summary}\n\n\
                 ## Main Findings\n\n### Hours and permits\n\n{found}\n\n## Sources\n\n{BY_RULE}\n"
            )
        };
        let good = report(
            "Music must stop at 10 pm",
            "Music must stop.",
            "It plays until the permits end [1].",
        );
        assert_eq!(faults(&good), Vec::<String>::new());
        for (report, fault) in [
            (report("Opening of the hall", "It must.", "Music must stop [1]."), "no verb"),
            (report("Music must stop", "It must.", "Sixty men can dig [1]."), "nothing to do"),
            (
                report("Music must stop", &"It must. ".repeat(150), "Music must stop [1]."),
                "300 words",
            ),
            (report("“10 pm”, says “Hours”", "It must.", "Music must stop [1]."), "of what"),
            (report("This rule is for music", "It must.", "Music must stop [1]."), "of what"),
            (
                report(
                    "Music must stop",
                    "It must.",
                    "Music must stop [1].\n\nMusic must stop [1].",
                ),
                "told twice",
            ),
            (
                report(
                    "Music must stop",
                    "A, 2 May: “Yes.” A, 2 May: “No.”",
                    "Music must stop [1].",
                ),
                "named twice",
            ),
            (
                report("Music must stop", "It must.", "Music had to stop last summer [1]."),
                "does not say when",
            ),
            (
                report(
                    "Music must stop",
                    "It must.",
                    "Music must [1].\n\n### Must it stop?\n\nMusic must stop [2].",
                ),
                "voice",
            ),
        ] {
            let found = faults(&report);
            assert!(found.len() == 1 && found[0].contains(fault), "{report:?}: {found:?}");
        }
        assert_eq!(foreign_headings(&good, &["Hours, and permits."]), Vec::<String>::new());
        assert_eq!(foreign_headings(&good, &["Opening hours"]).len(), 1);
    }
}
