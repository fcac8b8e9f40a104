//! The report as Markdown, in the one shape that every report has.

mod findings;

use std::fmt::Write as _;

use probity_core::Candidate;

use crate::appendix::{Appendix, Cell, Column, Shape};
use crate::assemble::{Body, CheckedReport};
use crate::escape::{address, inline};
use crate::methodology::methodology as fields;
use crate::phrases::{Phrase, Phrases};
use crate::wording::{better_questions, dated, level, no_conflict, no_finding};
use findings::findings;

/// Renders a report.
pub fn markdown(report: &CheckedReport) -> String {
    let mut text = String::new();
    write(&mut text, report);
    text
}

/// Renders a report with every candidate that was seen.
pub fn markdown_with_appendix(report: &CheckedReport) -> String {
    let mut text = markdown(report);
    appendix(&mut text, report);
    text
}

fn write(text: &mut String, report: &CheckedReport) {
    let shape = Phrases::of_shape(report.facts());
    line(text, &format!("# {}", inline(report.title())));
    if let Body::Report { disclaimer: Some(disclaimer), .. } = report.body() {
        let limited = shape.word(Phrase::LabelLimited);
        line(text, &format!("\n> **{limited}:** {}", inline(disclaimer)));
    }
    methodology(text, report);
    match report.body() {
        Body::Report { summary, themes, conflicts, confidence, .. } => {
            section(text, shape.word(Phrase::HeadingSummary));
            line(text, &summary.iter().map(|s| inline(s)).collect::<Vec<_>>().join(" "));
            section(text, shape.word(Phrase::HeadingFindings));
            for theme in themes {
                line(text, &format!("### {}\n", inline(&theme.heading)));
                line(text, &format!("{}\n", findings(report, &theme.statements)));
            }
            if themes.is_empty() {
                line(text, &format!("{}\n", no_finding(report.facts())));
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
            section(text, shape.word(Phrase::HeadingConflicts));
            let parts: Vec<String> = conflicts.iter().map(|c| findings(report, c)).collect();
            let none = || no_conflict(report.facts());
            line(text, &if parts.is_empty() { none() } else { parts.join("\n\n") });
            section(text, shape.word(Phrase::HeadingConfidence));
            let label = |phrase| shape.word(phrase);
            let level = level(shape, confidence.level);
            line(text, &format!("- **{}:** {level}", label(Phrase::LabelLevel)));
            let rationale = inline(&confidence.rationale);
            line(text, &format!("- **{}:** {rationale}", label(Phrase::LabelRationale)));
            section(text, shape.word(Phrase::HeadingSources));
            for (n, source) in report.sources() {
                line(text, &format!("{n}. {}", listed(shape, source)));
            }
        }
        Body::Shortfall { account, better_queries, elsewhere } => {
            section(text, shape.word(Phrase::HeadingShortfall));
            for part in account {
                line(text, &format!("{}\n", inline(part)));
            }
            if !elsewhere.is_empty() {
                line(text, &format!("{}\n", inline(elsewhere)));
            }
            if !better_queries.is_empty() {
                line(text, &format!("{}\n", better_questions(report.facts())));
            }
            for query in better_queries {
                line(text, &format!("- {}", inline(query)));
            }
        }
    }
}

fn methodology(text: &mut String, report: &CheckedReport) {
    let shape = Phrases::of_shape(report.facts());
    section(text, shape.word(Phrase::HeadingMethodology));
    for (name, value) in fields(report.facts()) {
        line(text, &format!("- **{name}:** {}", inline(&value)));
    }
}

fn section(text: &mut String, heading: &str) {
    line(text, &format!("\n## {heading}\n"));
}

fn line(text: &mut String, content: &str) {
    let _ = writeln!(text, "{content}");
}

fn listed(shape: Phrases, source: &Candidate) -> String {
    let title = if source.title.trim().is_empty() { source.url.host() } else { &source.title };
    let mut text = format!(
        "[{}]({}) — {} {:.2}",
        inline(title),
        address(source.url.as_str()),
        shape.word(Phrase::SourceCredibility),
        source.credibility.total
    );
    if let Some(relevance) = &source.relevance {
        let word = shape.word(Phrase::SourceRelevance);
        let _ = write!(text, " · {word} {}/5", relevance.score);
    }
    let _ = write!(text, " · {}", dated(shape, source));
    text
}

fn appendix(text: &mut String, report: &CheckedReport) {
    for part in Appendix::new(report.facts()).parts() {
        section(text, part.heading);
        if let Some(note) = &part.note {
            line(text, &inline(note));
        }
        match part.shape {
            Shape::Table { columns, rows, .. } => {
                if part.note.is_some() {
                    line(text, "");
                }
                line(text, &row(columns.iter().map(|column| column.name.to_owned())));
                line(text, &row(columns.iter().map(|column| rule(column.number))));
                for cells in rows {
                    let row_cells =
                        columns.iter().zip(&cells).map(|(column, said)| cell(column, said));
                    line(text, &row(row_cells));
                }
            }
            Shape::List(items) => {
                for item in items {
                    line(text, &format!("- {}", inline(&item)));
                }
            }
        }
    }
}

/// A row of a table.
fn row(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}

/// What is below the name of a column.
fn rule(number: bool) -> String {
    if number { "---:" } else { "---" }.to_owned()
}

fn cell(column: &Column, cell: &Cell) -> String {
    match cell {
        // Ours, and a stop in it begins no list.
        Cell::Text(text) if column.number => text.clone(),
        Cell::Text(text) => inline(text),
        Cell::Page { title, url } => link(title, url),
    }
}

fn link(title: &str, url: &str) -> String {
    format!("[{}]({})", inline(title), address(url))
}
