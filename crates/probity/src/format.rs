//! `--format`: one list of formats for every command that writes a report.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use probity_report::{CheckedReport, format};

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::{atomic_file, output};

/// A format as it may be typed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format(pub(crate) format::Format);

/// Every format as it may be typed, in the order of the list.
const ALL: [Format; format::Format::ALL.len()] = {
    let [a, b, c, d, e, f, g] = format::Format::ALL;
    [Format(a), Format(b), Format(c), Format(d), Format(e), Format(f), Format(g)]
};

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.0.as_str()).help(self.0.words());
        // Many type the name of the format instead of its ending.
        Some(match self.0 {
            format::Format::Markdown => value.alias("markdown"),
            format::Format::Docx => value.alias("word"),
            _ => value,
        })
    }
}

/// How a report is written.
#[derive(clap::Args, Clone)]
pub(crate) struct Form {
    /// The format of the report; by default that of the file's extension, or Markdown. --json is
    /// short for `--format json`.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Add every candidate, with scores and reasons, the gate's table, and the cost of each stage.
    /// HTML, PDF, DOCX and JSON always have them.
    #[arg(long)]
    pub(crate) appendix: bool,
}

impl Form {
    /// The format that is meant, given where the report goes.
    pub(crate) fn chosen(&self, path: Option<&Path>, app: &App) -> format::Format {
        let ending = path.and_then(Path::extension).and_then(|ending| ending.to_str());
        match self.format {
            Some(format) => format.0,
            None if app.json => format::Format::Json,
            None => ending.and_then(format::Format::of_extension).unwrap_or_default(),
        }
    }

    /// Refuses what cannot work before anything is spent on it.
    pub(crate) fn check(&self, path: Option<&Path>, app: &App) -> anyhow::Result<()> {
        let format = self.chosen(path, app);
        if format.is_binary() && path.is_none() && std::io::stdout().is_terminal() {
            return Err(usage(format!("a terminal cannot show {format}")))
                .hint(format!("write it to a file: --output report.{format}"));
        }
        match path {
            Some(path) => atomic_file::check(path),
            None => Ok(()),
        }
    }
}

/// Writes a report where it was asked for; gives a note about where that was.
pub(crate) fn write(
    report: &CheckedReport,
    form: &Form,
    path: Option<&Path>,
    app: &App,
) -> anyhow::Result<Option<String>> {
    form.check(path, app)?;
    let choices = format::Choices { appendix: form.appendix, system_fonts: true };
    let rendered = format::render(report, form.chosen(path, app), choices)?;
    for problem in &rendered.problems {
        output::note(&problem.to_string());
    }
    match path {
        Some(path) => {
            atomic_file::file(path, &rendered.bytes)?;
            Ok(Some(format!("Written to {}", path.display())))
        }
        None => {
            let mut out = output::stdout();
            out.write_all(&rendered.bytes)?;
            out.flush()?;
            Ok(None)
        }
    }
}
