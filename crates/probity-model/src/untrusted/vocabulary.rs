//! The words and signs that mark a sentence as addressed to a model.
//!
//! Each word is looked up once, whatever it may stand for; each sign is found in one pass over the sentence.

use std::collections::HashMap;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// What a word may stand for, one bit each.
pub(super) type Roles = u32;

macro_rules! bits {
    ($kind:ty: $($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        $($(#[$doc])* pub(super) const $name: $kind = 1 << $bit;)*
    };
}

bits! { Roles:
    /// To set aside, in the languages that such orders come in.
    SET_ASIDE = 0;
    /// What is set aside.
    ORDERS = 1;
    NEW = 2;
    INSTRUCTION = 3;
    ISSUER = 4;
    PROMPT = 5;
    /// Whom someone speaks to.
    MACHINE = 6;
    /// Whom someone calls, at the beginning.
    CALLED = 7;
    CALL = 8;
    DUTY = 9;
    DEED = 10;
    YOU_OR_YOUR = 11;
    YOU = 12;
    IF = 13;
    ARE = 14;
    THIS = 15;
    THING = 16;
    RATE = 17;
    WORTH = 18;
    SCORE = 19;
    SAY = 20;
    PLACE = 21;
    WHOSE_PLACE = 22;
    ANSWER = 23;
    GO = 24;
    TELL = 25;
    SECRET = 26;
}

#[rustfmt::skip]
const WORDS: &[(Roles, &[&str])] = &[
    (SET_ASIDE, &[
        "ignore", "disregard", "forget", "override", "bypass", "supersede", "supersedes",
        "discard", "ignoriere", "ignorieren", "vergiss", "missachte", "ignorez", "oubliez",
        "ignorer", "ignora", "ignorar", "olvida", "olvide", "ignori", "dimentica",
        "ignoruj", "игнорируй", "игнорируйте", "забудь", "忽略", "无视",
    ]),
    (ORDERS, &[
        "instruction", "instructions", "prompt", "prompts", "rule", "rules", "guideline",
        "guidelines", "directive", "directives", "rubric", "anweisung", "anweisungen",
        "regeln", "consignes", "instrucciones", "instruções", "istruzioni", "instrukcje",
        "инструкции", "指令", "说明",
    ]),
    (NEW, &["new", "updated", "real", "actual", "following", "hidden", "secret"]),
    (INSTRUCTION, &["instruction", "instructions", "directive", "directives"]),
    (ISSUER, &["system", "developer", "your"]),
    (PROMPT, &["prompt", "instructions"]),
    (MACHINE, &[
        "ai", "ais", "llm", "llms", "assistant", "assistants", "chatbot", "chatbots", "gpt",
        "chatgpt", "claude", "gemini", "copilot", "agent", "agents", "bot", "bots",
        "crawler", "crawlers", "summariser", "summarizer", "summarisers", "summarizers",
        "grader", "graders", "evaluator", "evaluators", "model", "models", "ki", "ia",
        "parser", "parsers",
    ]),
    (CALLED, &[
        "ai", "llm", "llms", "assistant", "assistants", "chatbot", "gpt", "chatgpt",
        "claude", "gemini", "copilot", "agents", "agent", "bots", "crawlers", "summarizer",
        "summariser", "grader", "graders", "evaluator", "evaluators", "model", "models",
        "ki", "ia", "automated", "machine", "machines", "language",
    ]),
    (CALL, &[
        "note", "notes", "attention", "notice", "message", "dear", "instruction",
        "instructions", "memo", "hinweis", "hey", "hello", "warning",
    ]),
    (DUTY, &["must", "should", "shall", "please", "required", "instructed", "need"]),
    (DEED, &[
        "rate", "score", "rank", "grade", "cite", "output", "respond", "reply", "print",
        "ignore", "summarise", "summarize", "treat", "consider", "return", "fetch", "trust",
        "say", "state", "include", "mark", "report", "answer",
    ]),
    (YOU_OR_YOUR, &["you", "your"]),
    (YOU, &["you"]),
    (IF, &["if"]),
    (ARE, &["are", "re"]),
    (THIS, &["this", "it", "the", "our", "these"]),
    (THING, &[
        "page", "source", "document", "article", "content", "text", "website", "site",
        "result", "file", "entry",
    ]),
    (RATE, &[
        "rate", "score", "rank", "grade", "mark", "assign", "award", "give", "judge",
        "treat", "consider", "deem", "bewerte", "noter", "puntúa",
    ]),
    (WORTH, &[
        "5", "five", "maximum", "highest", "top", "perfect", "relevant", "authoritative",
        "credible", "trusted", "trustworthy", "relevance", "verified",
    ]),
    (SCORE, &["score", "rating"]),
    (SAY, &[
        "respond", "reply", "answer", "output", "print", "write", "say", "return",
        "include", "append", "add", "insert", "repeat", "embed", "render", "begin", "start",
        "end", "conclude", "summarise", "summarize", "state", "cite", "quote", "mention",
    ]),
    (PLACE, &[
        "summary", "answer", "report", "response", "reply", "output", "analysis",
        "assessment", "evaluation", "verdict", "findings", "citation", "citations",
        "headline",
    ]),
    (WHOSE_PLACE, &["your", "the", "final", "every"]),
    (ANSWER, &["respond", "reply", "output", "print"]),
    (GO, &[
        "fetch", "open", "visit", "load", "request", "download", "navigate", "browse",
        "call", "post", "send", "get", "curl", "go",
    ]),
    (TELL, &["reveal", "print", "show", "send", "leak", "exfiltrate", "include", "disclose"]),
    (SECRET, &["prompt", "key", "keys", "password", "secret", "secrets", "credentials"]),
];

static ROLES: LazyLock<HashMap<&str, Roles>> = LazyLock::new(|| {
    let mut roles = HashMap::new();
    for (role, words) in WORDS {
        words.iter().for_each(|word| *roles.entry(*word).or_default() |= role);
    }
    roles
});

/// What a word in small letters may stand for.
pub(super) fn roles(word: &str) -> Roles {
    ROLES.get(word).copied().unwrap_or(0)
}

/// Whether a word without spaces between its parts holds one with a role, in a script other than Latin's plain letters.
pub(super) fn holds(word: &str, role: Roles) -> bool {
    let lists = WORDS.iter().filter(|(of, _)| *of == role);
    let foreign = lists.flat_map(|(_, words)| *words).filter(|sign| !sign.is_ascii());
    !word.is_ascii() && foreign.into_iter().any(|sign| word.contains(sign))
}

/// What a sentence may hold anywhere, one bit each.
pub(super) type Signs = u16;

bits! { Signs:
    /// A role, a tag or a fence that only our side may write.
    TAG = 0;
    YOU_ARE = 1;
    AS_A_MODEL = 2;
    /// A key of an answer in our own form.
    KEY = 3;
    SCORED = 4;
    FULL_MARKS = 5;
    EXACTLY = 6;
    ADDRESS = 7;
    IMAGE = 8;
    TOOL = 9;
}

#[rustfmt::skip]
const SIGNS: &[(Signs, &[&str])] = &[
    (TAG, &[
        "<|", "|>", "[inst]", "[/inst]", "<<sys", "<system", "</system", "[system]",
        "<data", "</data", "<source", "</source", "<assistant", "<user>", "<instructions",
        "</instructions", "<think", "</think", "<tool", "</tool", "<function",
        "end of source", "end of data", "end of document>", "end of untrusted",
        "begin system", "end system", "nonce",
    ]),
    (YOU_ARE, &["you are a", "you are an", "you are now", "you are the", "act as"]),
    (AS_A_MODEL, &["as an ai", "as a language model"]),
    (KEY, &["\"score\"", "'score'", "\"relevance\"", "\"why\""]),
    (SCORED, &["score"]),
    (FULL_MARKS, &["5/5"]),
    (EXACTLY, &["only with", "exactly", "verbatim", "the following", "nothing but", "nothing else"]),
    (ADDRESS, &["://"]),
    (IMAGE, &["![", "](http", "<img"]),
    (TOOL, &["fetch_page", "search_web", "tool_call", "function_call", "tool_use"]),
];

/// What finds every sign at once, and what each of its patterns is a sign of.
static FINDER: LazyLock<(Option<AhoCorasick>, Vec<Signs>)> = LazyLock::new(|| {
    let all = || SIGNS.iter().flat_map(|(sign, texts)| texts.iter().map(|text| (*sign, *text)));
    // So few patterns always fit; if they did not, everything would count as a sign.
    let finder = AhoCorasick::new(all().map(|(_, text)| text)).ok();
    (finder, all().map(|(sign, _)| sign).collect())
});

/// The signs in a text in small letters.
pub(super) fn signs(lower: &str) -> Signs {
    let (Some(finder), kinds) = &*FINDER else { return Signs::MAX };
    let found = finder.find_overlapping_iter(lower);
    found.fold(0, |all, sign| all | kinds.get(sign.pattern().as_usize()).copied().unwrap_or(0))
}
