//! Sends one message, by the way that its job names.

use std::sync::Arc;

use probity_core::Answering;
use probity_research::work::{Handled, Handler, Task};
use probity_web::notify::{Message, Messenger, SendError};
use serde::{Deserialize, Serialize};

use super::ALERT;
use crate::live::Live;

/// A message and the way it goes.
#[derive(Serialize, Deserialize)]
pub(crate) struct Letter {
    /// The way: `webhook`, `ntfy`, `mail`, or the id of one that was set up on the page.
    pub(crate) channel: String,
    /// What to tell.
    pub(crate) message: Message,
}

/// Sends messages.
pub(crate) struct Sender {
    /// How people are reached at the moment.
    pub(crate) live: Arc<Live>,
    /// Who carries the messages.
    pub(crate) messenger: Messenger,
}

impl Sender {
    async fn send(&self, payload: &str) -> Handled {
        let Ok(letter) = serde_json::from_str::<Letter>(payload) else {
            return Handled::Hopeless("the message cannot be read".to_owned());
        };
        let channels = self.live.app().settings.alerts.channels();
        let Some((_, channel)) = channels.iter().find(|(name, _)| *name == letter.channel) else {
            let why = format!("the way `{}` is paused or gone", letter.channel);
            return Handled::Hopeless(why);
        };
        match self.messenger.send(channel, &letter.message).await {
            Ok(()) => Handled::Done,
            Err(SendError::Passing(why)) => Handled::Failed(why),
            Err(SendError::Lasting(why)) => Handled::Hopeless(why),
        }
    }
}

impl Handler for Sender {
    fn kind(&self) -> &'static str {
        ALERT
    }

    fn handle<'a>(&'a self, task: Task) -> Answering<'a, Handled> {
        Box::pin(async move { self.send(&task.job.payload).await })
    }
}
