//! A model that knows the answer and never says JSON.

use probity_model::Request;
use serde_json::Value;

use super::{Act, well};

/// Chats where JSON is asked for, and answers well where lines are.
pub(super) fn answer(request: &Request) -> Act {
    let Act::Say(said) = well(request) else { return Act::Silence };
    if !request.system.contains("Answer with lines of this form") {
        return Act::Say("What a good question! I shall think about it.".to_owned());
    }
    let mut lines = vec!["Here you are:".to_owned()];
    tell(&serde_json::from_str(&said).unwrap_or(Value::Null), &mut lines);
    Act::Say(lines.join("\n"))
}

fn tell(value: &Value, lines: &mut Vec<String>) {
    for (key, inner) in value.as_object().into_iter().flatten() {
        let name = key.to_uppercase();
        match inner {
            Value::Array(items) => {
                for item in items {
                    match item {
                        Value::Object(_) => {
                            lines.push(format!("[{name}]"));
                            tell(item, lines);
                        }
                        text => lines.push(format!("{name}: {}", plain(text))),
                    }
                }
            }
            text => lines.push(format!("{name}: {}", plain(text))),
        }
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
