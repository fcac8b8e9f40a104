//! The report as Markdown, in the one shape that every report has.

use std::fmt::Write as _;

use probity_core::{Candidate, Verdict};

use crate::appendix::Appendix;
use crate::assemble::{Body, CheckedReport, CheckedStatement};
use crate::escape::{address, inline};
use crate::sentence::with_suffix;

/// What a report without disagreements says, to the letter.
pub const NO_CONFLICT: &str = "No significant conflicting information was found.";
/// What a report says when checking left nothing of the draft.
pub const NO_FINDING: &str = "No drafted finding could be traced to a source that was read.";

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
                line(text, &format!("{}\n", paragraph(&theme.statements)));
            }
            if themes.is_empty() {
                line(text, &format!("{NO_FINDING}\n"));
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
            section(text, "Conflicting Information");
            let told: Vec<String> = conflicts.iter().map(|c| paragraph(c)).collect();
            line(text, &if told.is_empty() { NO_CONFLICT.to_owned() } else { told.join("\n\n") });
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
            line(text, &format!("{}\n", inline(elsewhere)));
            line(text, "Better questions to ask:\n");
            for query in better_queries {
                line(text, &format!("- {}", inline(query)));
            }
        }
    }
}

fn methodology(text: &mut String, report: &CheckedReport) {
    let facts = report.facts();
    section(text, "Methodology");
    line(text, &format!("- **Initial Question:** {}", inline(&facts.question)));
    line(
        text,
        &format!(
            "- **Searches Conducted:** {} search queries across both rounds",
            facts.queries.len()
        ),
    );
    let (read, seen) = (facts.read(), facts.candidates.len());
    line(text, &format!("- **Sources Analyzed:** {read} fetched out of {seen} total candidates"));
    line(
        text,
        &format!(
            "- **Blocked Sources:** {} sources blocked due to low credibility (score ≤ {})",
            facts.count(Verdict::Blocked),
            facts.threshold
        ),
    );
}

fn section(text: &mut String, heading: &str) {
    line(text, &format!("\n## {heading}\n"));
}

fn line(text: &mut String, content: &str) {
    let _ = writeln!(text, "{content}");
}

fn paragraph(statements: &[CheckedStatement]) -> String {
    let sentence = |statement: &CheckedStatement| {
        let mut marks: Vec<String> = statement.cites.iter().map(|n| format!("[{n}]")).collect();
        if statement.marked {
            marks.push("[unverified]".to_owned());
        }
        with_suffix(&inline(&statement.text), &marks.join(" "))
    };
    statements.iter().map(sentence).collect::<Vec<_>>().join(" ")
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
    match source.published {
        Some(date) => {
            let _ = write!(text, " · published {date}");
        }
        None => text.push_str(" · undated"),
    }
    text
}

fn appendix(text: &mut String, report: &CheckedReport) {
    let appendix = Appendix::new(report.facts());
    section(text, "Appendix: Searches");
    table(text, &["round", "query", "results", "sources kept"], "---: | --- | ---: | ---:");
    for query in &appendix.queries {
        let numbers = [query.round, query.hits, query.kept].map(|n| n.to_string());
        let [round, hits, kept] = numbers;
        row(text, &[round, inline(&query.text), hits, kept]);
    }
    section(text, "Appendix: Relevance Gate");
    line(text, &format!("{} (cutoff {} of 5)\n", inline(&appendix.rationale), appendix.cutoff));
    table(text, &["score", "verdict", "page", "why"], "---: | --- | --- | ---");
    for judged in &appendix.judged {
        let page = link(&judged.title, &judged.url);
        row(text, &[judged.score.clone(), judged.verdict.to_owned(), page, inline(&judged.why)]);
    }
    section(text, "Appendix: Every Candidate");
    let names =
        ["score", "authority", "relevance", "recency", "round", "verdict", "page", "reason"];
    table(text, &names, "---: | ---: | ---: | ---: | ---: | --- | --- | ---");
    for candidate in &appendix.candidates {
        let mut cells = candidate.scores.to_vec();
        cells.push(candidate.round.to_string());
        cells.push(candidate.verdict.clone());
        cells.push(link(&candidate.title, &candidate.url));
        cells.push(inline(&candidate.reason));
        row(text, &cells);
    }
    section(text, "Appendix: Gaps Left");
    for gap in &appendix.gaps {
        line(text, &format!("- {}", inline(gap)));
    }
    if appendix.gaps.is_empty() {
        line(text, "Nothing was left open after the second round.");
    }
    if !appendix.stages.is_empty() {
        section(text, "Appendix: Time and Cost");
        let names = ["stage", "calls", "time", "tokens", "cost"];
        table(text, &names, "--- | ---: | ---: | ---: | ---:");
        for stage in &appendix.stages {
            let (calls, tokens) = (stage.calls.to_string(), stage.tokens.to_string());
            row(
                text,
                &[inline(&stage.title), calls, stage.time.clone(), tokens, stage.cost.clone()],
            );
        }
    }
    if !appendix.problems.is_empty() {
        section(text, "Appendix: Problems");
        for problem in &appendix.problems {
            line(text, &format!("- {}", inline(problem)));
        }
    }
}

fn table(text: &mut String, names: &[&str], rule: &str) {
    line(text, &format!("| {} |", names.join(" | ")));
    line(text, &format!("| {rule} |"));
}

fn row(text: &mut String, cells: &[String]) {
    line(text, &format!("| {} |", cells.join(" | ")));
}

fn link(title: &str, url: &str) -> String {
    format!("[{}]({})", inline(title), address(url))
}
