//! Host name → addresses, and only those that may be connected to.
//!
//! The client connects to what [`Guarded`] returns and looks nothing up again, so there is no gap
//! between checking an address and using it.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use probity_core::address::is_public;
use reqwest::dns::{Addrs, Name, Resolving};

use super::guard::how_to_open;
use super::limits::RESOLVED_ADDRESSES;

/// Looks host names up. The machine's own way is [`SystemResolver`]; tests bring their own.
pub trait Resolver: Send + Sync + 'static {
    /// The addresses of a host. Port 0 stands for the port of the URL; another port is used only
    /// for hosts that were explicitly allowed, and only where the URL names none.
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>>;
}

/// Asks the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        let host = host.to_owned();
        async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.take(RESOLVED_ADDRESSES).collect())
        }
        .boxed()
    }
}

/// A host all of whose addresses are out of bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutOfBounds {
    pub(crate) host: String,
    pub(crate) address: IpAddr,
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = how_to_open(&format_args!("{}:PORT", self.host));
        write!(f, "{} has the address {}, which is not public{open}", self.host, self.address)
    }
}

impl std::error::Error for OutOfBounds {}

/// A host that the system knows no address of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoAddress {
    pub(crate) host: String,
    pub(crate) reason: String,
}

impl fmt::Display for NoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name {} cannot be looked up: {}", self.host, self.reason)
    }
}

impl std::error::Error for NoAddress {}

/// Which names a guarded resolver answers for, and with which addresses.
#[derive(Debug, Clone)]
pub(crate) enum Bounds {
    /// Any name, public addresses only.
    Public,
    /// Only these names, which the user allowed, at whatever address.
    Allowed(Arc<HashSet<String>>),
}

/// A resolver that returns nothing out of bounds.
pub(crate) struct Guarded {
    resolver: Arc<dyn Resolver>,
    bounds: Bounds,
}

impl Guarded {
    pub(crate) fn new(resolver: Arc<dyn Resolver>, bounds: Bounds) -> Self {
        Self { resolver, bounds }
    }
}

impl Guarded {
    /// The addresses of a host that may be connected to.
    pub(crate) async fn addresses(&self, host: &str) -> Result<Vec<SocketAddr>, String> {
        let found = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) => vec![SocketAddr::new(address, 0)],
            Err(_) => self.resolver.resolve(host).await.map_err(|error| {
                NoAddress { host: host.to_owned(), reason: error.to_string() }.to_string()
            })?,
        };
        keep_in_bounds(host, found, &self.bounds).map_err(|error| error.to_string())
    }
}

impl reqwest::dns::Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        let looked_up = self.resolver.resolve(&host);
        let bounds = self.bounds.clone();
        Box::pin(async move {
            let found = looked_up
                .await
                .map_err(|error| NoAddress { host: host.clone(), reason: error.to_string() })?;
            let kept = keep_in_bounds(&host, found, &bounds)?;
            Ok(Box::new(kept.into_iter()) as Addrs)
        })
    }
}

/// Drops every address that is out of bounds; an error when none is left.
fn keep_in_bounds(
    host: &str,
    found: Vec<SocketAddr>,
    bounds: &Bounds,
) -> Result<Vec<SocketAddr>, Box<dyn std::error::Error + Send + Sync>> {
    let Some(first) = found.first().map(SocketAddr::ip) else {
        let reason = "it has no address".to_owned();
        return Err(NoAddress { host: host.to_owned(), reason }.into());
    };
    let kept: Vec<SocketAddr> = match bounds {
        Bounds::Public => found
            .into_iter()
            .filter(|address| is_public(address.ip()))
            // The port comes from the URL, which was checked, and from nowhere else.
            .map(|address| SocketAddr::new(address.ip(), 0))
            .take(RESOLVED_ADDRESSES)
            .collect(),
        Bounds::Allowed(hosts) if hosts.contains(host.trim_end_matches('.')) => found,
        Bounds::Allowed(_) => Vec::new(),
    };
    if kept.is_empty() {
        return Err(OutOfBounds { host: host.to_owned(), address: first }.into());
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn only_public_addresses_come_out_and_without_a_port_of_their_own() {
        let found = addresses(&["10.0.0.1:0", "1.1.1.1:8080", "[::1]:0", "[2606:4700::1111]:0"]);
        assert_eq!(
            keep_in_bounds("mixed.example", found, &Bounds::Public).unwrap(),
            addresses(&["1.1.1.1:0", "[2606:4700::1111]:0"])
        );
    }

    #[test]
    fn a_name_without_a_public_address_is_refused() {
        for text in ["127.0.0.1:80", "[::ffff:10.0.0.1]:80", "169.254.169.254:80", "0.0.0.0:80"] {
            let error = keep_in_bounds("x.example", addresses(&[text]), &Bounds::Public);
            assert!(error.unwrap_err().is::<OutOfBounds>(), "{text}");
        }
    }

    #[test]
    fn the_door_for_allowed_hosts_opens_for_no_other_name() {
        let bounds = Bounds::Allowed(Arc::new(HashSet::from(["intranet.example".to_owned()])));
        let private = addresses(&["10.0.0.1:8080"]);
        assert!(keep_in_bounds("intranet.example.", private.clone(), &bounds).is_ok());
        assert!(keep_in_bounds("other.example", private, &bounds).is_err());
        let public = addresses(&["1.1.1.1:80"]);
        assert!(keep_in_bounds("other.example", public, &bounds).is_err());
    }

    #[tokio::test]
    async fn each_look_up_is_judged_by_its_own_answer() {
        use reqwest::dns::Resolve;
        struct Rebinding(std::sync::atomic::AtomicUsize);
        impl Resolver for Rebinding {
            fn resolve(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
                let nth = self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                let text = if nth == 0 { "1.1.1.1:0" } else { "127.0.0.1:0" };
                futures::future::ready(Ok(addresses(&[text]))).boxed()
            }
        }
        let guarded = Guarded::new(Arc::new(Rebinding(0.into())), Bounds::Public);
        let name = || "rebinding.example".parse::<Name>().unwrap();
        let first: Vec<_> = guarded.resolve(name()).await.unwrap().collect();
        assert_eq!(first, addresses(&["1.1.1.1:0"]));
        assert!(guarded.resolve(name()).await.err().unwrap().is::<OutOfBounds>());
    }
}
