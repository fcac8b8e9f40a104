//! How a scripted model behaves: every task well, or badly in one of the ways real models do.

use probity_model::{ModelError, Request, Task, Turn};
use serde_json::{Value, json};

use super::Act;

/// A way to misbehave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// It says nothing.
    Empty,
    /// It says something else.
    Garbage,
    /// It stops in the middle of its JSON.
    HalfJson,
    /// It answers in another shape.
    WrongSchema,
    /// It cites sources that do not exist.
    BadCitations,
    /// It makes up addresses.
    InventedUrls,
    /// It floods.
    Huge,
    /// It never answers.
    Silent,
    /// It cannot be reached.
    Unreachable,
    /// It thinks aloud, fences its answer and adds commas.
    Sloppy,
}

/// An address that no source holds.
pub const INVENTED: &str = "https://invented.example/page";

impl Manner {
    /// Every way.
    pub const ALL: [Manner; 10] = [
        Manner::Empty,
        Manner::Garbage,
        Manner::HalfJson,
        Manner::WrongSchema,
        Manner::BadCitations,
        Manner::InventedUrls,
        Manner::Huge,
        Manner::Silent,
        Manner::Unreachable,
        Manner::Sloppy,
    ];

    /// What becomes of a good answer.
    pub fn act(self, request: &Request, good: Act) -> Act {
        let text = match good {
            Act::Say(text) => text,
            // Tool calls go wrong in their own ways.
            Act::Call(_) if self != Manner::Silent && self != Manner::Unreachable => {
                return Act::Call(bad_calls(self));
            }
            other => other.into_text(),
        };
        match self {
            Manner::Empty => Act::Say(String::new()),
            Manner::Garbage => Act::Say("As a parrot I can only say: {squawk} [99]".to_owned()),
            Manner::HalfJson => {
                let half = text.floor_char_boundary(text.len() / 2);
                Act::Say(text.get(..half).unwrap_or_default().to_owned())
            }
            Manner::WrongSchema => Act::Say(json!([{"answer": {"deep": [1, 2, 3]}}]).to_string()),
            Manner::BadCitations => Act::Say(bad_citations(request, &text)),
            Manner::InventedUrls => {
                let link = format!("see {INVENTED} and [this]({INVENTED}) ![x]({INVENTED}). ");
                Act::Say(
                    text.replace(". ", &format!(". {link}")).replace(".\"", &format!(". {link}\"")),
                )
            }
            Manner::Huge => Act::Say("{\"queries\": [\"".to_owned() + &"flood ".repeat(200_000)),
            Manner::Silent => Act::Silence,
            Manner::Unreachable => Act::Fail(ModelError::Unreachable {
                model: "compatible:scripted".to_owned(),
                reason: "connection refused".to_owned(),
            }),
            Manner::Sloppy => {
                let loose = text.replace('}', ",}");
                Act::Say(format!("<think>{{\"no\": 1}}</think>Here:\n```json\n{loose}\n```\nDone."))
            }
        }
    }
}

impl Act {
    fn into_text(self) -> String {
        match self {
            Act::Say(text) => text,
            _ => String::new(),
        }
    }
}

fn bad_calls(manner: Manner) -> Vec<(String, Value)> {
    let calls = match manner {
        Manner::Empty | Manner::HalfJson => vec![("fetch_page", Value::Null)],
        Manner::WrongSchema => vec![("search_web", json!({"query": [1, 2]})), ("", json!({}))],
        Manner::InventedUrls => vec![
            ("fetch_page", json!({"url": INVENTED})),
            ("fetch_page", json!({"url": "http://169.254.169.254/latest/meta-data"})),
            ("fetch_page", json!({"url": "file:///etc/passwd"})),
        ],
        Manner::Huge => vec![("search_web", json!({"query": "flood ".repeat(20_000)})); 40],
        _ => vec![("rm_rf", json!({"path": "/"})), ("fetch_page", json!({}))],
    };
    calls.into_iter().map(|(name, arguments)| (name.to_owned(), arguments)).collect()
}

/// A draft whose every citation is of a source that does not exist, in every way of writing it.
fn bad_citations(request: &Request, text: &str) -> String {
    match request.task {
        Task::Synthesise => text
            .replace("\"S1\"", "\"S99\"")
            .replace(".\"", " [99] [1].\"")
            .replace("\"headline\":\"", "\"headline\":\"[42] "),
        _ => text.replace(".\"", " [99].\""),
    }
}

/// The answer of a model that does as it is told and takes its facts from what it is shown.
pub fn well(request: &Request) -> Act {
    let user: String = request
        .turns
        .iter()
        .filter_map(|turn| match turn {
            Turn::User(text) => Some(text.as_str()),
            _ => None,
        })
        .collect::<Vec<_>>()
        .join("\n");
    let answer = match request.task {
        Task::Plan => json!({"queries": ["port ellery music", "port ellery noise limits"]}),
        Task::Gather => return gather(request),
        Task::Summarise => {
            let said = sentences(&user).next().unwrap_or("It says nothing.").to_owned();
            json!({"summary": said, "quotes": [said, "A sentence that no page holds."]})
        }
        Task::Gaps => json!({"unanswered": ["fines"], "queries": ["follow-up on fines"]}),
        Task::Score => json!({"score": 4, "why": "It says when music must stop."}),
        Task::Synthesise => draft(&user),
        Task::Explain => json!({
            "headline": "Nothing was found", "account": ["Pages were searched.", "None answers."],
            "better_queries": ["noise ordinance text"], "elsewhere": "The town hall.",
        }),
        Task::Criticise => json!({"findings": []}),
        Task::Check => json!({"support": "supported"}),
    };
    Act::Say(answer.to_string())
}

/// The sentences between the fences, titles and labels left out.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| line.ends_with('.') && !line.contains(": "))
}

/// A draft that takes a sentence from every source that is shown.
fn draft(user: &str) -> Value {
    let sources = user.split("\nSource ").skip(1).filter_map(|block| {
        let label = block.split(',').next()?.to_owned();
        let said = sentences(block).next()?.to_owned();
        Some(json!({"text": said, "sources": [label]}))
    });
    let statements: Vec<Value> = sources.collect();
    json!({
        "headline": "Music must stop at ten",
        "summary": ["Music must stop at 10 pm.", "All pages agree.", "Nothing else was found."],
        "findings": [{"heading": "Hours of quiet", "statements": statements}],
        "conflicts": [],
        "confidence": "High",
        "confidence_reason": "All pages say so.",
    })
}

/// Searches once, then reads what was found until the pages run out.
fn gather(request: &Request) -> Act {
    let results = request.turns.iter().filter(|turn| matches!(turn, Turn::Results(_))).count();
    if results == 0 {
        return Act::Call(vec![("search_web".to_owned(), json!({"query": "follow-up on fines"}))]);
    }
    let shown: Vec<String> = request
        .texts()
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|line| Some(line.strip_prefix("- http")?.split(' ').next()?.to_owned()))
        .collect();
    let mut pages: Vec<(String, Value)> = Vec::new();
    for page in shown {
        let call = ("fetch_page".to_owned(), json!({"url": format!("http{page}")}));
        if !pages.contains(&call) {
            pages.push(call);
        }
    }
    match results {
        1 => Act::Call(pages.into_iter().take(6).collect()),
        _ => Act::Say("That is enough.".to_owned()),
    }
}
