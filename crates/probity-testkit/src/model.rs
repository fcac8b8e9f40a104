//! A model that says what a test tells it to, well or badly, and remembers what it was asked.
//!
//! ```
//! use probity_model::Task;
//! use probity_testkit::model::{Act, Manner, ScriptedModel};
//!
//! let model = ScriptedModel::well_behaved().misbehaving(Task::Score, Manner::HalfJson);
//! let silent = ScriptedModel::new(|_| Act::Silence);
//! assert!(model.asked().is_empty() && silent.asked().is_empty());
//! ```

mod chat;
mod manners;
mod prose;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use probity_model::model::Asker;
use probity_model::table::{Facts, Price};
use probity_model::{
    Asking, Model, ModelError, ModelName, ProviderName, Reply, Request, Speed, Stop, Task,
    ToolCall, tokens,
};
use serde_json::Value;
use tokio::time::Instant;

pub use chat::chat;
pub use manners::{INVENTED, Manner, well};

/// What a scripted model does when it is asked.
#[derive(Debug, Clone)]
pub enum Act {
    /// It says this.
    Say(String),
    /// It says this and is cut off, because it finds no end.
    CutOff(String),
    /// It calls tools, by name and arguments.
    Call(Vec<(String, Value)>),
    /// It fails.
    Fail(ModelError),
    /// It never answers.
    Silence,
}

type Script = Box<dyn Fn(&Request) -> Act + Send + Sync>;

/// A model that follows a script.
pub struct ScriptedModel {
    name: ModelName,
    script: Script,
    asked: Mutex<Vec<Request>>,
    /// One for a run, as a provider has.
    nonce: String,
    delay: Duration,
    speed: Option<Speed>,
    /// How many tokens it takes.
    pub window: usize,
}

impl ScriptedModel {
    /// A model that follows this script. The requests it sees are as they would go out.
    pub fn new(script: impl Fn(&Request) -> Act + Send + Sync + 'static) -> Self {
        Self {
            name: ModelName::new(ProviderName::Compatible, "scripted"),
            script: Box::new(script),
            asked: Mutex::default(),
            nonce: probity_model::untrusted::nonce(),
            delay: Duration::ZERO,
            speed: None,
            window: 64_000,
        }
    }

    /// A model that does every task as it should.
    pub fn well_behaved() -> Self {
        Self::new(well)
    }

    /// The same model, which does one task badly.
    #[must_use]
    pub fn misbehaving(mut self, task: Task, manner: Manner) -> Self {
        let good = self.script;
        self.script = Box::new(move |request| match request.task == task {
            true => manner.act(request, good(request)),
            false => good(request),
        });
        self
    }

    /// The same model, which takes its time.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The same model on the user's machine, of this speed.
    #[must_use]
    pub fn at(mut self, speed: Speed) -> Self {
        self.speed = Some(speed);
        self
    }

    /// A model that never says JSON, but lines where lines are asked for.
    pub fn in_prose() -> Self {
        Self::new(prose::answer)
    }

    /// Every request so far, as it went out.
    pub fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often it was asked for a task.
    pub fn count(&self, task: Task) -> usize {
        self.asked().iter().filter(|request| request.task == task).count()
    }

    async fn act(&self, request: &Request, asker: &dyn Asker) -> Result<Reply, ModelError> {
        let request = request.with_nonce(&self.nonce);
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        if !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
        let mut reply = Reply { model: self.name.to_string(), ..Reply::default() };
        match (self.script)(&request) {
            Act::Say(text) => {
                if request.stream {
                    text.split_inclusive(' ').for_each(|words| asker.hear(words));
                }
                reply.text = text;
            }
            Act::CutOff(text) => {
                reply.stop = Stop::Length;
                reply.text = text;
            }
            Act::Call(calls) => {
                reply.stop = Stop::Tools;
                reply.calls = calls
                    .into_iter()
                    .enumerate()
                    .map(|(index, (name, arguments))| ToolCall {
                        id: format!("call_{index}"),
                        name,
                        arguments,
                        signature: None,
                    })
                    .collect();
            }
            Act::Fail(error) => return Err(error),
            Act::Silence => std::future::pending().await,
        }
        reply.tokens.input = tokens::of_request(&request) as u64;
        reply.tokens.output = tokens::estimate(&reply.text) as u64;
        Ok(reply)
    }
}

impl Model for ScriptedModel {
    fn name(&self) -> &ModelName {
        &self.name
    }

    fn facts(&self) -> Facts {
        let price = Some(Price { input: 1.0, cached: 0.1, output: 2.0 });
        Facts { window: self.window, price }
    }

    fn speed(&self) -> Option<Speed> {
        self.speed
    }

    fn ask<'a>(&'a self, request: &'a Request, until: Instant, asker: &'a dyn Asker) -> Asking<'a> {
        Box::pin(async move {
            let model = || self.name.to_string();
            if let Err(limit) = asker.begin().await {
                return Err(ModelError::OverLimit { model: model(), limit });
            }
            let acting = tokio::time::timeout_at(until, self.act(request, asker)).await;
            let answer = acting.unwrap_or_else(|_| Err(ModelError::Timeout { model: model() }));
            if let Err(error) = &answer {
                asker.failed(error).await;
            }
            answer
        })
    }
}
