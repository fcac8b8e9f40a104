//! Scores pages before anything is fetched, and says why.
//!
//!     cargo run -p probity-credibility --example score_url
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::HashMap;
use std::error::Error;

use probity_core::{Clock, WebUrl};
use probity_credibility::{Discovery, Policy, Scorer, ledger};

/// What a search might have returned: address, title, snippet.
const FOUND: [(&str, &str, &str); 3] = [
    (
        "https://www.reuters.com/world/",
        "Outdoor music at night",
        "How loud may concerts be? 2 days ago",
    ),
    ("https://www.ox.ac.uk/noise", "Noise policy", "Loud music outdoors is not allowed at night"),
    ("https://reuters.com.evil.io/", "Reuters", "You will not believe this"),
];

fn main() -> Result<(), Box<dyn Error>> {
    for line in explain("How loud may outdoor music be at night?")? {
        println!("{line}");
    }
    Ok(())
}

/// A line for every page: whether it would be downloaded, and the score as a sum.
pub(crate) fn explain(question: &str) -> Result<Vec<String>, Box<dyn Error>> {
    // The default policy, and what every ledger begins with. A store of your own knows more.
    let mut scorer = Scorer::new(Policy::default(), HashMap::new(), Clock::System.now())?;
    scorer.learn(ledger::seeded_opinions());
    let mut scorer = scorer.for_question(question);
    let mut lines = Vec::new();
    for (address, title, snippet) in FOUND {
        let url = WebUrl::parse(address)?;
        let page = Discovery { url: &url, title, snippet, published: None };
        let assessment = scorer.assess(page);
        let verdict = if assessment.blocked() { "blocked" } else { "fetch" };
        lines.push(format!("{verdict:<8} {address}: {}", assessment.explanation()));
    }
    Ok(lines)
}
