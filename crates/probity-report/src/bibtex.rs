//! The sources as BibTeX: entries that BibTeX and biblatex both read, and no title can break.

use std::fmt::Write as _;

use crate::assemble::CheckedReport;
use crate::reference::{Reference, references};

/// Renders the sources of a report.
pub fn bibtex(report: &CheckedReport) -> String {
    let entries: Vec<String> = references(report).iter().map(entry).collect();
    entries.join("\n")
}

fn entry(reference: &Reference<'_>) -> String {
    let mut text = format!("@misc{{{},\n", reference.key);
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<12} = {{{value}}},");
    };
    // Double braces keep the title's own capitals.
    field("title", &format!("{{{}}}", escape(&reference.title)));
    field("author", &format!("{{{}}}", escape(reference.publisher)));
    if let Some(date) = reference.published {
        field("year", &date.year().to_string());
        field("month", &date.month().to_string());
        field("date", &date.to_string());
    }
    field("howpublished", &format!("\\url{{{}}}", reference.url));
    field("url", &reference.url);
    field("urldate", &reference.accessed.to_string());
    field("note", &escape(&reference.note));
    text.push_str("}\n");
    text
}

/// Text in which no character means anything to TeX, and braces always balance.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\\' => safe.push_str("\\textbackslash{}"),
            // BibTeX counts braces even behind a backslash, so they have to go by name.
            '{' => safe.push_str("\\textbraceleft{}"),
            '}' => safe.push_str("\\textbraceright{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '"' => safe.push_str("\\textquotedbl{}"),
            '<' => safe.push_str("\\textless{}"),
            '>' => safe.push_str("\\textgreater{}"),
            '|' => safe.push_str("\\textbar{}"),
            // Some readers begin an entry at any of these.
            '@' => safe.push_str("\\symbol{64}"),
            '$' | '%' | '&' | '#' | '_' => {
                safe.push('\\');
                safe.push(c);
            }
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::escape;

    #[test]
    fn what_tex_would_obey_is_written_out() {
        let hostile = r"}\input{/etc/passwd}$x_1^2$ 100% & #1 ~";
        assert_eq!(
            escape(hostile),
            r"\textbraceright{}\textbackslash{}input\textbraceleft{}/etc/passwd\textbraceright{}\$x\_1\textasciicircum{}2\$ 100\% \& \#1 \textasciitilde{}"
        );
    }

    proptest! {
        #[test]
        fn braces_balance_and_commands_are_ours(text in "\\PC{0,80}") {
            let safe = escape(&text);
            let mut depth = 0i32;
            for c in safe.chars() {
                depth += match c { '{' => 1, '}' => -1, _ => 0 };
                prop_assert!((0..=1).contains(&depth));
            }
            prop_assert_eq!(depth, 0);
            for command in safe.split('\\').skip(1) {
                let ours = command.starts_with("text") || command.starts_with("symbol")
                    || command.starts_with(['$', '%', '&', '#', '_']);
                prop_assert!(ours, "{}", command);
            }
        }
    }
}
