//! Whether the providers of the web can be reached at all, without asking them anything.

use std::time::Duration;

use futures::StreamExt as _;
use probity_core::WebUrl;
use tokio::net::TcpStream;

use super::name::ProviderName;
use super::select::{Chosen, Selection, WEB};
use super::settings::SearchSettings;

/// How long a host may take to answer the door.
const KNOCK_TIME: Duration = Duration::from_millis(1_500);

/// A provider, and why it cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// Its name.
    pub name: String,
    /// Why it cannot be reached; none where it can.
    pub problem: Option<String>,
}

/// Knocks at every provider that `web` stands for, all at once.
pub async fn reach(settings: &SearchSettings) -> Vec<Reached> {
    let chosen = Selection::Named(vec![WEB.to_owned()]).resolve(settings, &[]).unwrap_or_default();
    let names = chosen.into_iter().flat_map(|chosen| match chosen {
        Chosen::Http(name) => vec![name],
        Chosen::Chain(names) => names,
        Chosen::Local(_) => Vec::new(),
    });
    let names: Vec<ProviderName> = names.collect();
    let count = names.len().max(1);
    let knocks = names.into_iter().map(|name| async move {
        let url = settings.of(name).url.clone();
        let url = url.or_else(|| name.spec().url.and_then(|url| WebUrl::parse(url).ok()));
        let problem = match url {
            Some(url) => knock(&url).await.err(),
            None => Some("its address is not set".to_owned()),
        };
        Reached { name: name.to_string(), problem }
    });
    futures::stream::iter(knocks).buffered(count).collect().await
}

async fn knock(url: &WebUrl) -> Result<(), String> {
    let host = url.dns_host().to_owned();
    let port = url::Url::parse(url.as_str()).ok().and_then(|url| url.port_or_known_default());
    let opening = TcpStream::connect((host.as_str(), port.unwrap_or(443)));
    match tokio::time::timeout(KNOCK_TIME, opening).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(format!("{host}: {error}")),
        Err(_) => Err(format!("{host}: no answer within {} ms", KNOCK_TIME.as_millis())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_provider_whose_port_is_closed_is_said_to_be_out_of_reach() {
        let open = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = |listener: &tokio::net::TcpListener| {
            WebUrl::parse(&format!("http://{}/", listener.local_addr().unwrap())).ok()
        };
        let mut settings = SearchSettings::default();
        settings.searxng.url = at(&open);
        settings.brave.key = Some(probity_core::Secret::new("k"));
        settings.brave.url = at(&closed);
        drop(closed);
        let reached = reach(&settings).await;
        let names: Vec<&str> = reached.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["searxng", "brave"]);
        assert_eq!(reached[0].problem, None);
        assert!(reached[1].problem.as_ref().is_some_and(|why| why.contains("127.0.0.1")));
    }
}
