//! One model call of a run: journalled, metered, within its deadline, and repaired once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use probity_model::call::{Outcome, Paid};
use probity_model::meter::Spent;
use probity_model::{
    Limits, Meter, ModelError, ModelSet, Reply, Request, Stop, Task, Turn, json, prompt, schema,
    tokens,
};
use probity_report::facts::Usage;
use tokio::time::Instant;

use super::super::{AnalystAnswer, AnalystError};
use super::prompts;
use crate::event::{Event, Watcher};
use crate::journal::{Entry, Journal, StepKind};

/// An answer is due so long before the run stops waiting, so that it can still say what it cost.
const MARGIN: Duration = Duration::from_millis(250);
/// Costs are kept to a billionth of a dollar.
const COST_UNITS: f64 = 1e9;
/// How many words arrive between two events.
const WORDS_TOLD: usize = 10;
/// A judgement may be asked for so often: at first, to be repaired, and in lines.
const ATTEMPTS: f64 = 3.0;
/// Other work on its machine may make the user's own server this many times slower than it was.
const SLOWED: f64 = 2.0;
/// Before its first answer it may take this many times as long as others.
const UNKNOWN: f64 = 10.0;
/// The most tokens of an answer by the user's own server: this many times what is usual, and never less than the second.
const RAMBLING: u64 = 2;
const LOCAL_OUTPUT: u32 = 200;
/// The longest that one judgement is waited for, in seconds, however slow a server.
const PATIENCE_MOST: u64 = 900;
/// A model that answered so often in prose where a form was asked is asked for lines from then on.
const PROSE: usize = 2;
/// One that answered so often in neither is not asked to repair its answer any more.
const HOPELESS: usize = 4;
/// How much of an unusable answer is shown to the model again, in tokens.
const SHOWN_AGAIN: usize = 1_500;

/// What names a call in the journal: its task, its model and the digest of what is asked.
type Inputs = (Task, String, String);

/// The means to ask models: shared by everything that one run asks.
pub(super) struct Caller<'a> {
    pub(super) model_set: ModelSet,
    journal: &'a Journal,
    watcher: &'a dyn Watcher,
    meter: Meter,
    /// The words of the report that were heard so far, in all of its parts.
    words: AtomicUsize,
    /// For each model the calls that it answered in prose where a form was asked, by their names in the journal.
    prose: Mutex<BTreeMap<String, BTreeSet<String>>>,
    /// The models that were cut off because they found no end.
    endless: Mutex<BTreeSet<String>>,
}

impl<'a> Caller<'a> {
    /// A caller that goes on counting where the journal's run stood.
    pub(super) fn new(
        model_set: ModelSet,
        limits: Limits,
        journal: &'a Journal,
        watcher: &'a dyn Watcher,
    ) -> Self {
        let done: Vec<(Inputs, Outcome)> = journal.done(StepKind::Model);
        let mut prose: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut endless = BTreeSet::new();
        for ((_, model, digest), outcome) in &done {
            // A run that is taken up again knows what it has learned.
            let Outcome::Replied { reply, .. } = outcome else { continue };
            if is_prose(reply) {
                prose.entry(model.clone()).or_default().insert(digest.clone());
            }
            if reply.stop == Stop::Length {
                endless.insert(model.clone());
            }
        }
        let outcomes = done.iter().map(|(_, outcome)| outcome);
        let before = outcomes.fold(Spent::default(), |sum, one| sum.plus(one.spent()));
        let (meter, words) = (Meter::new(limits, before), AtomicUsize::new(0));
        let (prose, endless) = (Mutex::new(prose), Mutex::new(endless));
        Self { model_set, journal, watcher, meter, words, prose, endless }
    }

    /// How many tokens that model takes in all.
    pub(super) fn window(&self, task: Task) -> usize {
        self.model_set.window(task)
    }

    /// The most tokens of an answer: what is wanted, but no more than a part of the window.
    pub(super) fn output(&self, task: Task, wanted: u32) -> u32 {
        // A small model that does not find an end would go on for as long as it may.
        let (_, usual) = task.usual_tokens();
        let usual = u32::try_from(usual * RAMBLING).unwrap_or(u32::MAX).max(LOCAL_OUTPUT);
        let wanted = if self.model_set.speed(task).is_some() { wanted.min(usual) } else { wanted };
        self.model_set.output(task, wanted)
    }

    /// Whether the model of a task is asked for lines, because it does not say JSON.
    pub(super) fn in_lines(&self, task: Task) -> bool {
        self.said_prose(task) >= PROSE
    }

    /// How often the model of a task answered in prose.
    fn said_prose(&self, task: Task) -> usize {
        let prose = self.prose.lock().unwrap_or_else(PoisonError::into_inner);
        prose.get(&self.model_set.name(task)).map_or(0, BTreeSet::len)
    }

    fn note_prose(&self, (_, model, digest): Inputs, reply: &Reply) {
        if is_prose(reply) {
            let mut prose = self.prose.lock().unwrap_or_else(PoisonError::into_inner);
            prose.entry(model).or_default().insert(digest);
        }
    }

    /// Whether the model of a task, on the user's own server, was cut off before.
    fn is_endless(&self, task: Task) -> bool {
        let endless = self.endless.lock().unwrap_or_else(PoisonError::into_inner);
        self.model_set.speed(task).is_some() && endless.contains(&self.model_set.name(task))
    }

    fn note_end(&self, task: Task, reply: &Reply) {
        if reply.stop == Stop::Length {
            let mut endless = self.endless.lock().unwrap_or_else(PoisonError::into_inner);
            endless.insert(self.model_set.name(task));
        }
    }

    /// How many calls the servers work on at once, where they are the user's own.
    pub(super) fn parallel(&self) -> usize {
        let speeds = Task::ALL.into_iter().filter_map(|task| self.model_set.speed(task));
        speeds.map(|speed| speed.slots).min().unwrap_or(usize::MAX)
    }

    /// The seconds of a task, or as many more as a slow server of the user's is expected to take.
    pub(super) fn patience(&self, task: Task, usual: u64) -> u64 {
        let Some(speed) = self.model_set.speed(task) else { return usual };
        let (input, output) = task.usual_tokens();
        let expected = match speed.time(input, output * RAMBLING) {
            Some(time) => time.as_secs_f64() * ATTEMPTS * SLOWED,
            None => usual as f64 * UNKNOWN,
        };
        (expected.ceil() as u64).clamp(usual, PATIENCE_MOST.max(usual))
    }

    /// Says about how long that many calls will take, once the user's own server has shown how fast it is.
    pub(super) fn tell_pace(&self, calls: &[(Task, usize)]) {
        let own = |(task, calls): &(Task, usize)| {
            let speed = self.model_set.speed(*task)?;
            let (input, output) = task.usual_tokens();
            let turns = calls.div_ceil(speed.slots.max(1)) as f64;
            Some((*task, speed.per_second?, speed.time(input, output)?.as_secs_f64() * turns))
        };
        let own: Vec<(Task, f64, f64)> = calls.iter().filter_map(own).collect();
        // Whoever writes the report takes longest.
        let Some((task, per_second, _)) = own.last() else { return };
        let seconds = own.iter().map(|(.., seconds)| seconds).sum::<f64>().ceil() as u64;
        let (model, per_second) = (self.model_set.name(*task), *per_second);
        self.watcher.watch(&Event::Pace { model, per_second, seconds });
    }

    /// A conversation about one judgement.
    pub(super) fn begin(&self, task: Task, seconds: u64) -> Judgement<'_> {
        let seconds = self.patience(task, seconds);
        let time = Duration::from_secs(seconds).saturating_sub(MARGIN);
        Judgement {
            caller: self,
            task,
            deadline: Instant::now() + time,
            usage: Mutex::new(Usage::default()),
        }
    }
}

/// One judgement in progress: a few calls with one deadline and one bill.
pub(super) struct Judgement<'a> {
    caller: &'a Caller<'a>,
    task: Task,
    deadline: Instant,
    usage: Mutex<Usage>,
}

impl Judgement<'_> {
    /// The answer with its bill.
    pub(super) fn answer<T>(self, result: Result<T, AnalystError>) -> AnalystAnswer<T> {
        let mut usage = self.usage.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Parallel calls end in any order; the sum must not show which.
        let exact = |cost: f64| (cost * COST_UNITS).round() / COST_UNITS;
        usage.cost_usd = exact(usage.cost_usd);
        usage.by_task.values_mut().for_each(|task| task.cost_usd = exact(task.cost_usd));
        AnalystAnswer { result, usage }
    }

    /// Asks, reads, and if the answer cannot be read asks once more and says why. A model that has shown that it does
    /// not say JSON is asked for lines, once.
    pub(super) async fn ask<T>(
        &self,
        mut request: Request,
        read: impl Fn(&Reply) -> Result<T, String>,
    ) -> Result<T, AnalystError> {
        if self.wants_lines(&request) {
            request = prompt::in_lines(&request);
        }
        let reply = self.call(&request).await?;
        let problem = match read(&reply) {
            Ok(answer) => return Ok(answer),
            Err(problem) => problem,
        };
        self.note(&request, &reply);
        if reply.stop == Stop::Refused {
            return Err(AnalystError::Failed(format!("{} would not answer", reply.model)));
        }
        if self.is_hopeless() {
            return Err(AnalystError::Unusable(problem));
        }
        let asked = request.turns.len();
        match self.with_end(&request, &reply) {
            // Its own words would only lead it on.
            Some(ending) => request = ending,
            None => self.show_again(&mut request, &reply, problem),
        }
        let reply = self.call(&request).await?;
        let problem = match read(&reply) {
            Ok(answer) => return Ok(answer),
            Err(problem) => problem,
        };
        self.note(&request, &reply);
        // Whoever has now shown that it says no JSON is asked for lines at once.
        let lines = request.schema.is_some() && self.caller.in_lines(self.task);
        if !lines || self.is_hopeless() {
            return Err(AnalystError::Unusable(problem));
        }
        request.turns.truncate(asked);
        let reply = self.call(&prompt::in_lines(&request)).await?;
        read(&reply).map_err(AnalystError::Unusable)
    }

    /// What was asked in a form that has an end, where the answer had none. Nothing where that was asked for.
    fn with_end(&self, request: &Request, reply: &Reply) -> Option<Request> {
        let sent = self.sized(request);
        let ending = ending(&sent);
        let cut = reply.stop == Stop::Length && self.caller.is_endless(self.task);
        (cut && ending != sent).then_some(ending)
    }

    /// Adds an answer that could not be read, and why.
    fn show_again(&self, request: &mut Request, reply: &Reply, problem: String) {
        let problem = match reply.stop {
            Stop::Length => format!("{problem}, and it was cut off for its length"),
            _ => problem,
        };
        let again = SHOWN_AGAIN.min(self.caller.window(self.task) / 16);
        let text = match tokens::clip(&reply.text, again) {
            "" => "(nothing)".to_owned(),
            text => text.to_owned(),
        };
        request.turns.push(Turn::Model { text, calls: Vec::new() });
        request.turns.push(Turn::User(prompts::repair(&problem)));
    }

    /// Takes note of an answer that could not be read.
    fn note(&self, request: &Request, reply: &Reply) {
        self.caller.note_prose(self.inputs(&self.sized(request)), reply);
    }

    /// Whether the model has shown that it answers in no form at all.
    fn is_hopeless(&self) -> bool {
        self.caller.said_prose(self.task) >= HOPELESS
    }

    /// Whether lines are asked for. What was paid for in another form is not asked for again.
    fn wants_lines(&self, request: &Request) -> bool {
        let asked =
            || self.caller.journal.knows(StepKind::Model, &self.inputs(&self.sized(request)));
        request.schema.is_some() && self.caller.in_lines(self.task) && !asked()
    }

    /// The request with as many tokens for the answer as the model can give, in a form that has an end if the model
    /// needs one. What was paid for in another form is not asked for again.
    fn sized(&self, request: &Request) -> Request {
        let max_output_tokens = self.caller.output(self.task, request.max_output_tokens);
        let plain = Request { max_output_tokens, ..request.clone() };
        let asked = || self.caller.journal.knows(StepKind::Model, &self.inputs(&plain));
        match self.caller.is_endless(self.task) && !asked() {
            true => ending(&plain),
            false => plain,
        }
    }

    /// What names a call in the journal.
    fn inputs(&self, request: &Request) -> Inputs {
        (self.task, self.caller.model_set.name(self.task), request.digest())
    }

    /// Makes one call, or gives back what it came to before.
    pub(super) async fn call(&self, request: &Request) -> Result<Reply, AnalystError> {
        let caller = self.caller;
        let request = &self.sized(request);
        let inputs = self.inputs(request);
        let (mut due, mut made) = (None, false);
        let step = caller.journal.step(StepKind::Model, &inputs, async || {
            let paid = self.make(request).await;
            (due, made) = (paid.due, true);
            paid.outcome
        });
        let outcome = step.await;
        // After the answer is written down: whatever comes in between, it is not paid for again.
        if let Some(due) = due {
            due.settle().await;
        }
        let outcome = outcome.map_err(|error| AnalystError::Failed(error.to_string()))?;
        if made && !matches!(outcome, Outcome::Refused(_)) {
            self.tell(&outcome);
        }
        self.bill(outcome.spent());
        match outcome {
            Outcome::Replied { reply, .. } => {
                caller.note_end(self.task, &reply);
                Ok(reply)
            }
            Outcome::Failed { error: ModelError::Timeout { model }, .. } => {
                Err(AnalystError::Failed(format!("{model} did not answer in time")))
            }
            Outcome::Failed { error, .. } => Err(AnalystError::Failed(error.to_string())),
            Outcome::Refused(limit) => Err(AnalystError::Budget(limit)),
        }
    }

    async fn make(&self, request: &Request) -> Paid<'_> {
        let heard = |piece: &str| self.hear(piece);
        let Caller { model_set, meter, .. } = self.caller;
        model_set.pay(self.task, request, meter, self.deadline, &heard).await
    }

    /// Counts the words of a report as they come, and tells of every few.
    fn hear(&self, piece: &str) {
        let fresh = piece.chars().filter(|c| c.is_whitespace()).count();
        let before = self.caller.words.fetch_add(fresh, Ordering::Relaxed);
        if (before + fresh) / WORDS_TOLD > before / WORDS_TOLD {
            self.caller.watcher.watch(&Event::Writing { words: before + fresh });
        }
    }

    fn tell(&self, outcome: &Outcome) {
        let model = match outcome {
            Outcome::Replied { reply, .. } => reply.model.clone(),
            _ => self.caller.model_set.name(self.task),
        };
        let total = usage(self.caller.meter.spent());
        self.caller.watcher.watch(&Event::Spend { task: self.task.to_string(), model, total });
    }

    fn bill(&self, spent: Spent) {
        let mut sum = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        let one = usage(spent);
        let by_task = [(self.task.to_string(), one.clone())];
        sum.add(&Usage {
            by_task: by_task.into_iter().filter(|_| spent.calls > 0).collect(),
            ..one
        });
    }
}

/// A request whose form has an end: its lists and texts are as long as its answer may be.
fn ending(request: &Request) -> Request {
    let form = |shape| schema::bounded(shape, request.max_output_tokens);
    Request { schema: request.schema.as_ref().map(form), ..request.clone() }
}

/// Whether a model said something and no JSON. Tools are called without either.
fn is_prose(reply: &Reply) -> bool {
    let said = !reply.text.trim().is_empty() && reply.calls.is_empty();
    said && json::candidates(&reply.text).is_empty()
}

/// What the model calls of a journal cost.
pub fn spent_in(entries: &[Entry]) -> Usage {
    let mut sum = Usage::default();
    for entry in entries.iter().filter(|entry| entry.kind == StepKind::Model.as_str()) {
        let outcome = serde_json::from_str::<Outcome>(&entry.output);
        let inputs = serde_json::from_str::<Inputs>(&entry.inputs);
        let (Ok(outcome), Ok((task, ..))) = (outcome, inputs) else { continue };
        let one = usage(outcome.spent());
        let by_task = [(task.to_string(), one.clone())].into_iter().collect();
        sum.add(&Usage { by_task, ..one });
    }
    sum
}

/// What was spent, as a report says it.
fn usage(spent: Spent) -> Usage {
    Usage {
        model_calls: spent.calls,
        input_tokens: spent.input,
        cached_tokens: spent.cached,
        output_tokens: spent.output,
        cost_usd: spent.cost,
        unpriced_calls: spent.unpriced,
        by_task: Default::default(),
    }
}
