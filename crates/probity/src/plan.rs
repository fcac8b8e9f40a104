//! The plan on the command line: what may be typed about it, and who is asked on a terminal.

use std::io::{BufRead, IsTerminal as _, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use probity_core::{Answering, printable};
use probity_research::analyst::Plan;
use probity_research::approve::{Approved, Approver, Offer, Ruling, Unattended};
use probity_research::plan_file;
use probity_research::run::{Inquiry, ModelUse};

use crate::config::env;
use crate::failure::{WithHint as _, usage};
use crate::json_lines;

/// How often an answer that cannot be used is asked for again.
const TRIES: usize = 10;
/// The longest line that is read from a terminal, in bytes.
const LINE_BYTES: u64 = 8 * 1024;
/// The editor where none is named.
const EDITOR: &str = "vi";

/// The flags about the plan of a run.
#[derive(Default, clap::Args)]
#[command(next_help_heading = "The plan")]
pub(crate) struct PlanArgs {
    /// Show the plan before any search, and on a terminal ask for approval or edits.
    #[arg(long, conflicts_with = "agentic")]
    plan: bool,
    /// Follow the plan of this file (`-` for stdin) instead of making one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agentic", "clarify"])]
    plan_file: Option<PathBuf>,
    /// Print the plan, as a file that --plan-file takes, and stop.
    #[arg(long, conflicts_with_all = ["plan_file", "queue", "agentic"])]
    pub(crate) plan_only: bool,
    /// Let the model ask back once if the question is ambiguous.
    #[arg(long, conflicts_with = "agentic")]
    clarify: bool,
    /// Follow the plan without asking for approval; without a terminal this is the default.
    #[arg(long, short)]
    yes: bool,
}

impl PlanArgs {
    /// What the run sets out to find, and who has a say in that.
    pub(crate) fn inquiry(&self, queue: bool, model: &ModelUse) -> anyhow::Result<Inquiry> {
        if self.clarify && model.assignment.is_none() {
            return Err(usage("--clarify needs a language model"))
                .hint("name one with --model, or set a provider's key such as ANTHROPIC_API_KEY");
        }
        let plan = self.plan_file.as_deref().map(read).transpose()?;
        // A worker cannot ask for approval; only whoever queued the run can say that none is needed.
        let asks = !(queue && self.yes);
        Ok(Inquiry {
            plan,
            approve: self.plan_only || self.plan && asks,
            clarify: self.clarify && asks,
        })
    }

    /// Whom to ask: the user at the terminal, if there is one who wants to be asked.
    pub(crate) fn approver(&self) -> Box<dyn Approver> {
        match self.yes || !is_attended() {
            true => Box::new(Unattended),
            false => Box::new(Terminal { approve: self.plan }),
        }
    }
}

/// Whether someone can be asked something.
pub(crate) fn is_attended() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Reads the file of a plan.
pub(crate) fn read(path: &Path) -> anyhow::Result<Plan> {
    let mut text = String::new();
    let read =
        json_lines::open(path)?.take(plan_file::PLAN_BYTES as u64 + 1).read_to_string(&mut text);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    plan_file::parse(&text).map_err(|why| usage(format!("the plan {} {why}", path.display())))
}

/// Takes the plan that is offered and stops the run.
#[derive(Default)]
pub(crate) struct Taken(Mutex<Option<Plan>>);

impl Taken {
    /// The plan, if one was offered.
    pub(crate) fn plan(&self) -> Option<Plan> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Approver for Taken {
    fn approve<'a>(&'a self, offer: &'a Offer) -> Answering<'a, Ruling> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(offer.plan.clone());
        Box::pin(std::future::ready(Ruling::Stop))
    }
}

/// Asks the user at the terminal.
pub(crate) struct Terminal {
    /// Whether plans are to be approved, and not only questions answered.
    pub(crate) approve: bool,
}

impl Approver for Terminal {
    fn approve<'a>(&'a self, offer: &'a Offer) -> Answering<'a, Ruling> {
        let (offer, approve) = (offer.clone(), self.approve);
        let (tell, hear) = tokio::sync::oneshot::channel();
        // A thread of its own: who interrupts the run must not have to press return first.
        std::thread::spawn(move || {
            let (input, mut out) = (std::io::stdin().lock(), std::io::stderr());
            let _ = tell.send(converse(&offer, approve, input, &mut out, edit));
        });
        Box::pin(async move { hear.await.unwrap_or(Ruling::Stop) })
    }
}

/// Asks about an offer until there is an answer that can be used.
fn converse(
    offer: &Offer,
    approve: bool,
    mut input: impl BufRead,
    out: &mut impl Write,
    edit: impl Fn(&Plan) -> anyhow::Result<Plan>,
) -> Ruling {
    let mut ask = |text: &str| -> Option<String> {
        let _ = write!(out, "{text} ").and_then(|()| out.flush());
        let mut line = String::new();
        match (&mut input).take(LINE_BYTES).read_line(&mut line) {
            Ok(1..) => Some(line.trim().to_owned()),
            _ => None,
        }
    };
    if !offer.clarify.is_empty() {
        let back = printable::line(&offer.clarify);
        let go_on = "Your answer (nothing: search for all that it can mean):";
        match ask(&format!("{back}\n{go_on}")) {
            None => return Ruling::Stop,
            Some(said) if !said.is_empty() => {
                return Ruling::Go(Approved { answer: Some(said), plan: None });
            }
            Some(_) if !approve => return Ruling::Go(Approved::default()),
            Some(_) => {}
        }
    }
    let mut plan = None;
    for _ in 0..TRIES {
        let said =
            ask("Go on with this plan? [y]es, [e]dit, [n]o:").map(|said| said.to_lowercase());
        match said.as_deref() {
            Some("" | "y" | "yes") => return Ruling::Go(Approved { plan, answer: None }),
            Some("e" | "edit") => match edit(plan.as_ref().unwrap_or(&offer.plan)) {
                Ok(edited) => plan = Some(edited),
                Err(error) => {
                    let _ = ask_again(&mut ask, &error);
                }
            },
            Some("n" | "no" | "q" | "quit") | None => return Ruling::Stop,
            Some(_) => {}
        }
    }
    Ruling::Stop
}

/// Says why an edited plan cannot be used.
fn ask_again(
    ask: &mut impl FnMut(&str) -> Option<String>,
    error: &anyhow::Error,
) -> Option<String> {
    let why = printable::line(&format!("{error:#}")).into_owned();
    ask(&format!("{why}\nThe plan stays as it was; press return."))
}

/// Has a plan edited in the user's editor.
fn edit(plan: &Plan) -> anyhow::Result<Plan> {
    let mut file = tempfile::Builder::new().prefix("plan-").suffix(".md").tempfile()?;
    file.write_all(plan_file::write(plan).as_bytes())?;
    file.flush()?;
    let editor = env::VISUAL.get().or_else(|| env::EDITOR.get());
    let editor = editor.unwrap_or_else(|| EDITOR.to_owned());
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or(EDITOR);
    let ended = std::process::Command::new(program).args(words).arg(file.path()).status();
    let ended = ended.with_context(|| format!("the editor `{program}` could not be started"))?;
    anyhow::ensure!(ended.success(), "the editor `{program}` ended with {ended}");
    // Read by its name: editors write another file and give it that.
    read(file.path())
}

#[cfg(test)]
mod tests {
    use probity_research::analyst::PlanPart;

    use super::*;

    fn offer(clarify: &str) -> Offer {
        let part = PlanPart { question: "How high?".to_owned(), queries: vec!["fines".to_owned()] };
        let plan = Plan { parts: vec![part], ..Plan::default() };
        Offer { number: 1, plan, clarify: clarify.to_owned(), until: "2026-03-01".parse().unwrap() }
    }

    fn other() -> Plan {
        Plan { queries: vec!["other".to_owned()], ..Plan::default() }
    }

    /// What is ruled when this is typed, and what was shown.
    fn typed(clarify: &str, approve: bool, lines: &str) -> (Ruling, String) {
        let mut out = Vec::new();
        let edit = |_: &Plan| Ok(other());
        let ruling = converse(&offer(clarify), approve, lines.as_bytes(), &mut out, edit);
        (ruling, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_plan_is_approved_edited_or_refused() {
        let go = |plan: Option<Plan>| Ruling::Go(Approved { plan, answer: None });
        for (lines, ruling) in [
            ("\n", go(None)),
            ("YES\n", go(None)),
            ("what?\ny\n", go(None)),
            ("e\ny\n", go(Some(other()))),
            ("e\nn\n", Ruling::Stop),
            ("n\n", Ruling::Stop),
            ("", Ruling::Stop),
        ] {
            assert_eq!(typed("", true, lines).0, ruling, "{lines:?}");
        }
    }

    #[test]
    fn whoever_never_answers_what_was_asked_is_not_asked_for_ever() {
        let (ruling, shown) = typed("", true, &"what?\n".repeat(100));
        assert_eq!(ruling, Ruling::Stop);
        assert_eq!(shown.matches("Go on").count(), TRIES);
    }

    #[test]
    fn a_question_back_is_answered_or_passed_over() {
        let (ruling, shown) = typed("Which town\u{1b}[2J?", true, "the old one\n");
        let answered = Approved { answer: Some("the old one".to_owned()), plan: None };
        assert_eq!(ruling, Ruling::Go(answered));
        assert!(shown.contains("Which town") && !shown.contains('\u{1b}'), "{shown}");
        assert_eq!(typed("Which?", false, "\n").0, Ruling::Go(Approved::default()));
        assert_eq!(typed("Which?", true, "\ny\n").0, Ruling::Go(Approved::default()));
        assert_eq!(typed("Which?", true, "").0, Ruling::Stop);
    }

    #[test]
    fn a_plan_that_cannot_be_read_leaves_the_one_before() {
        let mut out = Vec::new();
        let edit = |_: &Plan| anyhow::bail!("names nothing to search for");
        let ruling = converse(&offer(""), true, "e\n\ny\n".as_bytes(), &mut out, edit);
        assert_eq!(ruling, Ruling::Go(Approved::default()));
        assert!(String::from_utf8(out).unwrap().contains("names nothing to search for"));
    }
}
