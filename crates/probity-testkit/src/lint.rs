//! What a reader of any report would stumble over, found in its Markdown.
//!
//! A report that says where the sources fall short has no themes; its headline is held to the same.

/// The most words of a headline.
const HEADLINE_WORDS: usize = 25;
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
        } else if let Some((_, told)) = &mut theme {
            *told |= !line.trim().is_empty();
        }
    }
    close(&mut theme);
    faults.extend(first_person(markdown));
    for heading in headings {
        if heading.split_whitespace().count() < HEADING_WORDS {
            faults.push(format!("the heading `{heading}` has fewer than {HEADING_WORDS} words"));
        }
        if heading.ends_with('…') {
            faults.push(format!("the heading `{heading}` is cut off"));
        }
    }
    faults
}

/// Where summary or findings speak of "us": only a quotation may, and it says who speaks.
fn first_person(markdown: &str) -> Vec<String> {
    const SPEAKING: [&str; 7] = ["i", "we", "our", "ours", "us", "my", "me"];
    let mut section = "";
    let mut faults = Vec::new();
    for line in markdown.lines() {
        section = line.strip_prefix("## ").unwrap_or(section);
        if !matches!(section, "Executive Summary" | "Main Findings") || line.starts_with('#') {
            continue;
        }
        let (mut quoted, mut titled) = (0_u32, false);
        let own: String = line
            .chars()
            .filter(|c| {
                quoted = match c {
                    '“' => quoted + 1,
                    '”' => quoted.saturating_sub(1),
                    _ => quoted,
                };
                titled ^= *c == '"';
                quoted == 0 && !titled
            })
            .collect();
        let speaks = own
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word != "US" && SPEAKING.contains(&word.to_lowercase().as_str()));
        if speaks {
            faults.push(format!("`{line}` speaks in the first person"));
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
        (title.ends_with('…') || title.ends_with("..."), "is cut off"),
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
}
