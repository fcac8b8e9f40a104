//! Providers that are asked one after the other: the next only where the one before could not
//! answer.

use std::time::Duration;

use probity_core::{Problem, ProblemKind};

use super::error::SearchError;
use super::provider::{Provider, Searching};
use super::query::Query;

/// A chain of providers. Its name is that of the first.
pub(super) struct FallBack {
    chain: Vec<Box<dyn Provider>>,
}

impl FallBack {
    /// A chain, asked in this order.
    pub(super) fn new(chain: Vec<Box<dyn Provider>>) -> Self {
        Self { chain }
    }
}

impl Provider for FallBack {
    fn name(&self) -> &str {
        self.chain.first().map_or("", |first| first.name())
    }

    fn timeout(&self) -> Duration {
        self.chain.iter().map(|provider| provider.timeout()).sum()
    }

    fn search<'a>(&'a self, query: &'a Query) -> Searching<'a> {
        Box::pin(async move {
            let mut problems: Vec<Problem> = Vec::new();
            let mut last = SearchError::Local("there is no provider".to_owned());
            for provider in &self.chain {
                match provider.search(query).await {
                    Ok(mut reply) => {
                        problems.append(&mut reply.problems);
                        return Ok(super::Reply { problems, ..reply });
                    }
                    Err(error) => {
                        tracing::debug!(provider = provider.name(), %error, "the next is asked");
                        problems.push(Problem::new(
                            ProblemKind::Search,
                            provider.name(),
                            error.to_string(),
                        ));
                        last = error;
                    }
                }
            }
            Err(last)
        })
    }
}
