//! The one table of models: defaults, windows and prices, dated, with the user's own over it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::name::{ModelName, ProviderName};
use crate::reply::TokenCount;
use crate::task::Task;

/// The window of an unknown model, in tokens.
pub const UNKNOWN_WINDOW: usize = 32_768;
/// The smallest window that a run can work with, in tokens.
pub const MIN_WINDOW: usize = 4_096;

/// What a token costs that is taken into a cache, as a multiple of one that is only sent.
const WRITTEN: f64 = 1.25;

/// What tokens cost, in US dollars for a million of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// Tokens sent.
    pub input: f64,
    /// Tokens sent that the provider had in its cache.
    pub cached: f64,
    /// Tokens received.
    pub output: f64,
}

impl Price {
    /// What a call costs.
    pub fn of(self, tokens: TokenCount) -> f64 {
        let fresh = tokens.input.saturating_sub(tokens.cached);
        let written = tokens.written.min(fresh);
        let cost = (fresh - written) as f64 * self.input
            + written as f64 * self.input * WRITTEN
            + tokens.cached as f64 * self.cached
            + tokens.output as f64 * self.output;
        cost / 1e6
    }
}

/// What is known of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    /// How many tokens it takes in all.
    pub window: usize,
    /// What they cost, where that is known.
    pub price: Option<Price>,
}

/// What the user knows of a model; what is left out comes from the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Known {
    /// How many tokens it takes in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<usize>,
    /// Dollars for a million tokens sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<f64>,
    /// Dollars for a million tokens sent that were cached; as the others if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
    /// Dollars for a million tokens received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<f64>,
}

impl Known {
    fn price(self) -> Option<Price> {
        let (input, output) = (self.input?, self.output?);
        Some(Price { input, output, cached: self.cached.unwrap_or(input) })
    }

    /// Says what is wrong with the numbers, if anything.
    pub(crate) fn check(self) -> Result<(), String> {
        let prices = [self.input, self.cached, self.output];
        if prices.into_iter().flatten().any(|price| !(0.0..=1e6).contains(&price)) {
            return Err("a price must be between 0 and 1,000,000".to_owned());
        }
        if self.window.is_some_and(|window| window < MIN_WINDOW) {
            return Err(format!("`window` must be at least {MIN_WINDOW} tokens"));
        }
        if self.input.is_some() != self.output.is_some() {
            return Err("give both `input` and `output`".to_owned());
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Deserialize)]
struct Defaults {
    small: String,
    strong: String,
}

/// The table.
#[derive(Debug, Clone, Deserialize)]
pub struct Table {
    as_of: String,
    defaults: BTreeMap<String, Defaults>,
    models: BTreeMap<String, Known>,
    /// Lines that were last looked at on another day, by that day.
    #[serde(default)]
    dated: BTreeMap<String, BTreeMap<String, Known>>,
}

static EMBEDDED: LazyLock<Option<Table>> = LazyLock::new(|| {
    let mut table: Table = toml::from_str(include_str!("../models.toml")).ok()?;
    let dated: Vec<_> = table.dated.values().cloned().collect();
    dated.into_iter().for_each(|lines| table.models.extend(lines));
    Some(table)
});

impl Table {
    /// The table that comes with the program.
    pub fn embedded() -> Self {
        let empty = || Table {
            as_of: String::new(),
            defaults: BTreeMap::new(),
            models: BTreeMap::new(),
            dated: BTreeMap::new(),
        };
        EMBEDDED.clone().unwrap_or_else(empty)
    }

    /// The day of the prices, unless a line has one of its own.
    pub fn as_of(&self) -> &str {
        &self.as_of
    }

    /// The day of a model's price.
    pub fn priced_on(&self, name: &ModelName) -> &str {
        let line = self.line(name);
        let has =
            |lines: &BTreeMap<String, Known>| line.is_some_and(|line| lines.contains_key(line));
        self.dated.iter().find(|(_, lines)| has(lines)).map_or(&self.as_of, |(day, _)| day)
    }

    /// The same table with what the user knows over it.
    #[must_use]
    pub fn with(mut self, known: &BTreeMap<ModelName, Known>) -> Self {
        for (name, theirs) in known {
            let ours = self.find(name).unwrap_or_default();
            let merged = Known {
                window: theirs.window.or(ours.window),
                input: theirs.input.or(ours.input),
                cached: theirs.cached.or(if theirs.input.is_some() { None } else { ours.cached }),
                output: theirs.output.or(ours.output),
            };
            self.models.insert(name.to_string(), merged);
        }
        self
    }

    /// What a provider is asked for a task by default.
    pub fn default_model(&self, provider: ProviderName, task: Task) -> Option<ModelName> {
        let defaults = self.defaults.get(provider.as_str())?;
        let model = if task.wants_strong() { &defaults.strong } else { &defaults.small };
        Some(ModelName::new(provider, model.clone()))
    }

    /// What is known of a model.
    pub fn facts(&self, name: &ModelName) -> Facts {
        let known = self.find(name).unwrap_or_default();
        Facts { window: known.window.unwrap_or(UNKNOWN_WINDOW), price: known.price() }
    }

    /// What the table has on a model.
    fn find(&self, name: &ModelName) -> Option<Known> {
        self.models.get(self.line(name)?).copied()
    }

    /// The model's own line, that of the model it is a dated copy of, or that of its provider.
    fn line(&self, name: &ModelName) -> Option<&str> {
        let full = name.to_string();
        let undated = full.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
        let copies = |line: &&str| {
            let rest = full.strip_prefix(*line).unwrap_or_default();
            rest.starts_with('-') && line.len() >= undated.len() && rest.len() >= DATE_CHARS
        };
        let copied =
            || self.models.keys().map(String::as_str).filter(copies).max_by_key(|l| l.len());
        let named = |line: &str| self.models.get_key_value(line).map(|(line, _)| line.as_str());
        named(&full).or_else(copied).or_else(|| named(&format!("{}:*", name.provider)))
    }
}

/// The shortest date that a copy of a model is marked with: `-0613`, `-20260101`, `-2026-01-01`.
const DATE_CHARS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> ModelName {
        text.parse().unwrap()
    }

    #[test]
    fn the_table_is_whole() {
        let table = Table::embedded();
        assert!(table.as_of() >= "2026-11");
        assert!(table.models.len() > 20);
        for provider in ProviderName::ALL {
            for task in Task::ALL {
                let Some(model) = table.default_model(provider, task) else {
                    let own = ["anthropic", "openai", "gemini", "ollama"];
                    assert!(!own.contains(&provider.as_str()), "{provider}");
                    continue;
                };
                let facts = table.facts(&model);
                assert!(facts.price.is_some(), "{model} has no price");
                assert!(facts.window >= MIN_WINDOW);
            }
        }
        for (line, known) in &table.models {
            known.check().unwrap_or_else(|problem| panic!("{line}: {problem}"));
            assert!(line.ends_with(":*") || line.parse::<ModelName>().is_ok(), "{line}");
        }
    }

    #[test]
    fn dated_copies_cost_what_their_model_costs_and_strangers_nothing_known() {
        let table = Table::embedded();
        let price = |text: &str| table.facts(&name(text)).price.map(|p| (p.input, p.output));
        assert_eq!(price("anthropic:claude-haiku-4-5-20251001"), Some((1.0, 5.0)));
        assert_eq!(price("openai:gpt-5-mini-2025-08-07"), Some((0.25, 2.0)));
        assert_eq!(price("openai:gpt-5-2025-08-07"), Some((1.25, 10.0)));
        assert_eq!(price("openai:gpt-5-pro"), None);
        assert_eq!(price("openai:gpt-5.4-mini"), Some((0.75, 4.5)));
        assert_eq!(price("compatible:anything"), None);
        assert_eq!(price("bedrock:amazon.nova-lite-v1:0"), Some((0.06, 0.24)));
        assert_eq!(table.priced_on(&name("openai:gpt-5")), table.as_of());
        assert!(table.priced_on(&name("groq:openai/gpt-oss-120b")) < table.as_of());
        assert_eq!(price("ollama:llama3.2"), Some((0.0, 0.0)));
    }

    #[test]
    fn what_the_user_knows_counts() {
        let line = Known { input: Some(2.0), output: Some(4.0), ..Known::default() };
        let known = BTreeMap::from([(name("compatible:mine"), line)]);
        let facts = Table::embedded().with(&known).facts(&name("compatible:mine"));
        let price = facts.price.unwrap();
        assert_eq!((price.input, price.cached, price.output), (2.0, 2.0, 4.0));
        let tokens =
            TokenCount { input: 1_000_000, cached: 500_000, output: 10, ..TokenCount::default() };
        assert!((price.of(tokens) - 2.000_04).abs() < 1e-9);
        assert!(Known { input: Some(-1.0), output: Some(1.0), ..line }.check().is_err());
        assert!(Known { output: None, ..line }.check().is_err());
    }
}
