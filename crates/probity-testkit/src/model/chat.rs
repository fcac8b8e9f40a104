//! A well-behaved model behind OpenAI's chat protocol, for tests of the program as a whole.

use probity_model::{Request, Task};
use serde_json::{Value, json};

use super::{Act, well};
use crate::fake_api::Answer;

/// What each prompt says of itself, and the task that it is for.
const SIGNS: [(&str, Task); 13] = [
    ("plan web searches", Task::Plan),
    ("gather sources", Task::Gather),
    ("take down what one source says", Task::Summarise),
    ("still missing", Task::Gaps),
    ("judge one source", Task::Score),
    ("judge several sources", Task::Score),
    ("draft a", Task::Synthesise),
    ("outline a report", Task::Outline),
    ("write one section", Task::Section),
    ("write what leads it", Task::Lead),
    ("do not suffice", Task::Explain),
    ("about to become a report", Task::Criticise),
    ("passage supports", Task::Check),
];

/// Answers a chat request as it should be answered, in one piece or as a stream, whichever is asked.
/// `edit` may change what is said.
pub fn chat(body: &Value, edit: impl Fn(Task, String) -> String) -> Answer {
    let text = |role: &str| {
        let messages = body.get("messages").and_then(Value::as_array).into_iter().flatten();
        let texts = messages
            .filter(|message| message.get("role").is_some_and(|given| given == role))
            .filter_map(|message| message.get("content")?.as_str());
        texts.collect::<Vec<_>>().join("\n")
    };
    let system = text("system");
    let Some((_, task)) = SIGNS.iter().find(|(sign, _)| system.contains(sign)) else {
        return Answer::status(400).with_body("no task that is known here");
    };
    let said = match well(&Request::new(*task, system, text("user"))) {
        Act::Say(said) => edit(*task, said),
        _ => String::new(),
    };
    let usage = json!({"prompt_tokens": 1000, "completion_tokens": 100});
    if body.get("stream") == Some(&json!(true)) {
        let delta = json!({"choices": [{"delta": {"content": said}, "finish_reason": "stop"}]});
        let usage = json!({"choices": [], "usage": usage});
        let stream = format!("data: {delta}\n\ndata: {usage}\n\ndata: [DONE]\n\n");
        return Answer::ok("text/event-stream", stream);
    }
    let choice = json!({"message": {"content": said}, "finish_reason": "stop"});
    Answer::json(json!({"choices": [choice], "usage": usage}).to_string())
}
