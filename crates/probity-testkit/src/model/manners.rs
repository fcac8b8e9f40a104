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

    /// The outcome for a good answer.
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
        Task::Synthesise | Task::Section | Task::Outline => text
            .replace("\"F1\"", "\"F999\"")
            .replace(".\"", " [99] [1].\"")
            .replace("\"headline\":\"", "\"headline\":\"[42] "),
        _ => text.replace(".\"", " [99].\""),
    }
}

/// The answer of a model that follows its instructions and takes its facts from what it is shown.
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
        Task::Plan => plan(),
        Task::Gather => return gather(request),
        Task::Summarise => notes(&user),
        Task::Gaps => json!({"unanswered": ["fines"], "queries": ["follow-up on fines"]}),
        Task::Score => scores(&user),
        Task::Synthesise => draft(&user),
        Task::Outline => outline(&user),
        Task::Section => json!({"statements": statements(&user)}),
        Task::Lead => lead(&user),
        Task::Explain => json!({
            "headline": "Nothing was found", "account": ["Pages were searched.", "None answers."],
            "better_queries": ["noise ordinance text"], "elsewhere": "The town hall.",
        }),
        Task::Criticise => json!({"findings": []}),
        Task::Check => json!({"support": "supported"}),
    };
    Act::Say(answer.to_string())
}

/// A plan of two sub-questions, with a query each.
fn plan() -> Value {
    let part = |question: &str, query: &str| json!({"question": question, "queries": [query]});
    json!({
        "brief": "When outdoor music has to stop in Port Ellery, and how loud it may be.",
        "parts": [
            part("When does outdoor music have to stop in Port Ellery?", "port ellery music"),
            part("How loud may it be there?", "port ellery noise limits"),
        ],
    })
}

/// A good score for the source that is shown, or for each of several.
fn scores(user: &str) -> Value {
    let why = "It says when music must stop.";
    let label = |line: &str| Some(line.strip_prefix("The source ")?.strip_suffix(':')?.to_owned());
    let labels: Vec<String> = user.lines().filter_map(label).collect();
    if labels.is_empty() {
        return json!({"score": 4, "why": why});
    }
    let one = |label: &String| json!({"source": label, "score": 4, "why": why});
    json!({"scores": labels.iter().map(one).collect::<Vec<_>>()})
}

/// The sentences between the fences, titles and labels left out.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| line.ends_with('.') && !line.contains(": "))
}

/// How many facts it takes down of a page.
const FACTS: usize = 5;

/// What a page says: sentences of its own as facts, and one that no page holds.
fn notes(user: &str) -> Value {
    let page = user.split("\nThe source").nth(1).unwrap_or_default();
    let fact = |said: &str| json!({"statement": said, "quote": said, "figure": ""});
    let mut facts: Vec<Value> = sentences(page).take(FACTS).map(fact).collect();
    facts.push(fact("A sentence that no page holds, for all that is said."));
    let said = sentences(page).next().unwrap_or("It says nothing.");
    json!({"summary": said, "facts": facts})
}

/// The facts that are shown: each label and what it says.
fn facts(user: &str) -> Vec<(&str, &str)> {
    let labelled = user.lines().filter_map(|line| line.trim().split_once(". "));
    let is_label = |label: &str| {
        let number = label.strip_prefix('F').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    };
    labelled
        .filter(|(label, _)| is_label(label))
        .map(|(label, text)| {
            (label, text.split(" “").next().unwrap_or(text).trim_matches(['“', '”']))
        })
        .collect()
}

/// A statement for every fact that is shown.
fn statements(user: &str) -> Vec<Value> {
    let statement = |(label, said): (&str, &str)| json!({"form": "sentence", "text": said, "facts": [label], "detail": ""});
    facts(user).into_iter().map(statement).collect()
}

/// Three sections, with the facts dealt out among them.
fn outline(user: &str) -> Value {
    let sections = (0..3).map(|place| {
        let own = facts(user).into_iter().enumerate().filter(|(index, _)| index % 3 == place);
        let labels: Vec<&str> = own.map(|(_, (label, _))| label).collect();
        json!({"heading": format!("Part {}", place + 1), "purpose": "It tells.", "facts": labels})
    });
    json!({"sections": sections.collect::<Vec<_>>()})
}

/// A lead that no statement supports, with one sentence of the first one that is shown.
fn lead(user: &str) -> Value {
    let statements = user.split("\nThe statements:").nth(1).unwrap_or_default();
    let first = statements.lines().find_map(|line| line.strip_prefix("- "));
    let first = first.and_then(|line| line.rsplit_once(" (")).map_or("Nothing is said.", |l| l.0);
    json!({
        "headline": "Music must stop at ten", "summary": [first, "All pages agree."],
        "conflicts": [], "confidence": "High", "confidence_reason": "All pages say so.",
    })
}

/// A draft with a statement for every fact that is shown.
fn draft(user: &str) -> Value {
    json!({
        "headline": "Music must stop at ten",
        "summary": ["Music must stop at 10 pm.", "All pages agree.", "Nothing else was found."],
        "findings": [{"heading": "Hours of quiet", "statements": statements(user)}],
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
