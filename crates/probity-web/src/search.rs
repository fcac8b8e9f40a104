//! Query → hits, from many providers merged into one list.
//!
//! ```text
//! --search a,b,c → Selection → SearchSet
//! Query → (each provider: pace → ask → parse → clean) → fuse → Found { hits, problems }
//! ```
//!
//! Each provider is one file under [`provider`]: what it is asked, and how its reply is read. A
//! parser is a pure function of the reply's bytes; everything it finds goes through one place that
//! checks addresses and cleans texts, because all of it is untrusted.
//!
//! A provider that fails never takes the others with it: see [`SearchSet::search`].

pub mod clean;
pub mod filter;
pub mod fuse;
pub mod name;
pub mod provider;
pub mod query;
pub mod reach;
pub mod settings;

mod ask;
mod day;
mod error;
mod fall_back;
mod rate_limit;
mod read;
mod reply;
mod select;
mod set;
pub(crate) mod xml;

pub use ask::Endpoint;
pub use error::SearchError;
pub use filter::{FilterError, Filters, PageType, Site};
pub use name::ProviderName;
pub use provider::local::LocalProvider;
pub use provider::mcp::{McpSettings, McpTool};
pub use provider::urls::UrlList;
pub use provider::{Provider, Searching};
pub use query::{EmptyQuery, Lang, Query};
pub use reply::Reply;
pub use select::{Chosen, FILES, LIBRARY, NEWS, PROVIDERS_MAX, SelectError, Selection, URLS, WEB};
pub use set::{Found, SearchContext, SearchSet};
pub use settings::{ProviderSettings, SearchSettings, SettingsError};
