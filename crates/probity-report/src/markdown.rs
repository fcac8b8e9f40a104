//! The report as Markdown, in the one shape that every report has.

mod findings;

use std::fmt::Write as _;

use probity_core::Candidate;

use crate::appendix::{Appendix, Cell, Column, Shape};
use crate::assemble::{Body, CheckedReport};
use crate::escape::{address, inline};
use crate::methodology::methodology as fields;
use crate::wording::{better_questions, dated, no_conflict, no_finding};
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
    line(text, &format!("# {}", inline(report.title())));
    if let Body::Report { disclaimer: Some(disclaimer), .. } = report.body() {
        line(text, &format!("\n> **Limited evidence:** {}", inline(disclaimer)));
    }
    methodology(text, report);
    match report.body() {
        Body::Report { summary, themes, conflicts, confidence, .. } => {
            section(text, "Executive Summary");
            line(text, &summary.iter().map(|s| inline(s)).collect::<Vec<_>>().join(" "));
            section(text, "Main Findings");
            for theme in themes {
                line(text, &format!("### {}\n", inline(&theme.heading)));
                line(text, &format!("{}\n", findings(report, &theme.statements)));
            }
            if themes.is_empty() {
                line(text, &format!("{}\n", no_finding(report.facts())));
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
            section(text, "Conflicting Information");
            let told: Vec<String> = conflicts.iter().map(|c| findings(report, c)).collect();
            let none = || no_conflict(report.facts());
            line(text, &if told.is_empty() { none() } else { told.join("\n\n") });
            section(text, "Confidence Assessment");
            line(text, &format!("- **Confidence Level:** {}", confidence.level.as_str()));
            line(text, &format!("- **Rationale:** {}", inline(&confidence.rationale)));
            section(text, "Sources");
            for (n, source) in report.sources() {
                line(text, &format!("{n}. {}", listed(source)));
            }
        }
        Body::Shortfall { account, better_queries, elsewhere } => {
            section(text, "Why There Is No Report");
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
    section(text, "Methodology");
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

fn listed(source: &Candidate) -> String {
    let title = if source.title.trim().is_empty() { source.url.host() } else { &source.title };
    let mut text = format!(
        "[{}]({}) — credibility {:.2}",
        inline(title),
        address(source.url.as_str()),
        source.credibility.total
    );
    if let Some(relevance) = &source.relevance {
        let _ = write!(text, " · relevance {}/5", relevance.score);
    }
    let _ = write!(text, " · {}", dated(source));
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
                    let told = columns.iter().zip(&cells).map(|(column, said)| cell(column, said));
                    line(text, &row(told));
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
