//! Which hosts are outlets of their own, which domains belong together, and which hosts only point on.
//!
//! [`OutletRules`] is what a person writes; [`Lists`] is what is in force: the embedded lists with
//! the written ones added, every name parsed, no contradiction left.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use probity_core::Outlet;
use serde::{Deserialize, Serialize};

use super::{domain, embedded};

/// The most entries one list may have.
const LIST_ENTRIES: usize = 10_000;

/// What is wrong with the written rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The text is not a domain that someone could have registered.
    #[error(
        "`outlets.{list}`: `{name}` is not a registered domain (expected something like \
         example.com)"
    )]
    NotADomain {
        /// The list the entry is in.
        list: &'static str,
        /// The entry as written.
        name: String,
    },
    /// An alias points at a domain that is itself not where credibility is kept.
    #[error("`outlets.aliases`: `{from}` points at `{to}`, whose outlet is {leads_to}; {advice}")]
    AliasLeadsOn {
        /// The alias.
        from: String,
        /// Its target as written.
        to: String,
        /// The outlet the target itself has.
        leads_to: String,
        /// What to write instead.
        advice: String,
    },
    /// A host is listed both as an alias and as an outlet of its own.
    #[error("`{0}` is both in `outlets.own_hosts` and in `outlets.aliases`; remove one")]
    OwnHostAndAlias(String),
    /// A host is listed as two kinds of pointer.
    #[error(
        "`{0}` is in two of `outlets.publisher_shorteners`, `shorteners` and `aggregators`; keep \
         one"
    )]
    PointerTwice(String),
    /// A redirector's path does not start at the root of its host.
    #[error("`outlets.redirectors`: the path `{path}` of `{host}` must start with `/`")]
    Path {
        /// The redirector's host.
        host: String,
        /// Its path as written.
        path: String,
    },
    /// A redirector names no parameter that holds the target.
    #[error("`outlets.redirectors`: `{0}` names no parameter; write e.g. parameters = [\"url\"]")]
    NoParameter(String),
    /// A list is longer than any installation has reason to need.
    #[error("`outlets.{0}` has more than {LIST_ENTRIES} entries")]
    TooMany(&'static str),
}

/// A host and path that point on to the address in one of their query parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Redirector {
    /// The host; its subdomains count too.
    pub host: String,
    /// The path, matched whole.
    pub path: String,
    /// The parameters that may hold the target, the preferred one first.
    pub parameters: Vec<String>,
}

/// The rules by which an address becomes an outlet, as written in a configuration.
///
/// What is written adds to the embedded lists, or replaces them with `embedded = false`. An alias
/// of a domain to itself takes an embedded alias away.
///
/// ```
/// use probity_credibility::outlet::OutletRules;
///
/// let rules: OutletRules = toml::from_str(r#"aliases = { "kurier.example" = "gazette.example" }"#)?;
/// assert!(rules.check().is_ok());
/// let chain = r#"aliases = { "a.example" = "b.example", "b.example" = "c.example" }"#;
/// assert!(toml::from_str::<OutletRules>(chain)?.check().is_err());
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutletRules {
    /// Whether to start from the embedded lists.
    pub embedded: bool,
    /// Hosts that are outlets of their own, although their domain publishes other things too.
    pub own_hosts: Vec<String>,
    /// Other domains of a publisher, and the domain its credibility is kept under.
    pub aliases: BTreeMap<String, String>,
    /// Hosts on which a publisher shortens its own addresses.
    pub publisher_shorteners: Vec<String>,
    /// Shorteners that anyone may use.
    pub shorteners: Vec<String>,
    /// Hosts that show others' articles under addresses that name no publisher.
    pub aggregators: Vec<String>,
    /// Hosts that point on by a query parameter.
    pub redirectors: Vec<Redirector>,
}

impl Default for OutletRules {
    fn default() -> Self {
        Self { embedded: true, ..Self::empty() }
    }
}

impl OutletRules {
    /// No rules at all, not even the embedded ones: every outlet is a registrable domain.
    pub fn empty() -> Self {
        Self {
            embedded: false,
            own_hosts: Vec::new(),
            aliases: BTreeMap::new(),
            publisher_shorteners: Vec::new(),
            shorteners: Vec::new(),
            aggregators: Vec::new(),
            redirectors: Vec::new(),
        }
    }

    /// The aggregators in force: the embedded ones, unless they are switched off, and those that were added.
    pub fn aggregators_in_force(&self) -> Vec<&str> {
        let ours = embedded::AGGREGATORS.iter().copied().filter(|_| self.embedded);
        let mut all: Vec<&str> = ours.chain(self.aggregators.iter().map(String::as_str)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Checks that the rules can be used.
    ///
    /// # Errors
    /// The first thing that is wrong, by the list it is in.
    pub fn check(&self) -> Result<(), RulesError> {
        Lists::new(self).map(drop)
    }
}

/// The rules in force.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    pub(super) own_hosts: HashSet<Outlet>,
    pub(super) aliases: HashMap<Outlet, Outlet>,
    pub(super) pointers: HashMap<Outlet, Pointer>,
    pub(super) redirectors: Vec<Redirector>,
}

/// What a listed host that only points on gives away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pointer {
    /// The outlet.
    PublisherShortener,
    /// Nothing.
    Shortener,
    /// Nothing, but its feeds name the publisher.
    Aggregator,
}

impl Lists {
    pub(super) fn new(rules: &OutletRules) -> Result<Self, RulesError> {
        let lists = Self {
            own_hosts: domains(rules, "own_hosts", embedded::OWN_HOSTS, &rules.own_hosts)?,
            aliases: read_aliases(rules)?,
            pointers: read_pointers(rules)?,
            redirectors: read_redirectors(rules)?,
        };
        // Sorted, so that the same mistake is always named first.
        for (from, to) in lists.aliases.iter().collect::<BTreeSet<_>>() {
            lists.check_alias(from, to)?;
        }
        Ok(lists)
    }

    /// An alias is followed once, so its target must be an outlet as it stands.
    fn check_alias(&self, from: &Outlet, to: &Outlet) -> Result<(), RulesError> {
        if self.own_hosts.contains(from) {
            return Err(RulesError::OwnHostAndAlias(from.to_string()));
        }
        let bare = domain::outlet_of_host(to.as_str(), self);
        // An outlet like gov.uk is a public suffix without the `www.` that its pages carry.
        let found = bare.or_else(|| domain::outlet_of_host(&format!("www.{to}"), self));
        if found.as_ref() == Some(to) {
            return Ok(());
        }
        let advice = match &found {
            Some(end) if self.aliases.contains_key(to) => format!("write `{end}` directly"),
            Some(_) => format!("add `{to}` to `own_hosts` or write the domain itself"),
            None => "write a registered domain".to_owned(),
        };
        let leads_to = found.map_or_else(|| "none".to_owned(), |end| format!("`{end}`"));
        Err(RulesError::AliasLeadsOn {
            from: from.to_string(),
            to: to.to_string(),
            leads_to,
            advice,
        })
    }
}

fn domains(
    rules: &OutletRules,
    list: &'static str,
    ours: &[&str],
    written: &[String],
) -> Result<HashSet<Outlet>, RulesError> {
    if written.len() > LIST_ENTRIES {
        return Err(RulesError::TooMany(list));
    }
    let ours = ours.iter().copied().filter(|_| rules.embedded);
    ours.chain(written.iter().map(String::as_str)).map(|name| read_domain(list, name)).collect()
}

fn read_pointers(rules: &OutletRules) -> Result<HashMap<Outlet, Pointer>, RulesError> {
    let lists = [
        (
            Pointer::PublisherShortener,
            domains(
                rules,
                "publisher_shorteners",
                embedded::PUBLISHER_SHORTENERS,
                &rules.publisher_shorteners,
            )?,
        ),
        (
            Pointer::Shortener,
            domains(rules, "shorteners", embedded::SHORTENERS, &rules.shorteners)?,
        ),
        (
            Pointer::Aggregator,
            domains(rules, "aggregators", embedded::AGGREGATORS, &rules.aggregators)?,
        ),
    ];
    let mut pointers = HashMap::new();
    for (pointer, hosts) in lists {
        for host in hosts {
            if pointers.contains_key(&host) {
                return Err(RulesError::PointerTwice(host.to_string()));
            }
            pointers.insert(host, pointer);
        }
    }
    Ok(pointers)
}

fn read_aliases(rules: &OutletRules) -> Result<HashMap<Outlet, Outlet>, RulesError> {
    if rules.aliases.len() > LIST_ENTRIES {
        return Err(RulesError::TooMany("aliases"));
    }
    let ours = embedded::ALIASES.iter().copied().filter(|_| rules.embedded);
    let written = rules.aliases.iter().map(|(from, to)| (from.as_str(), to.as_str()));
    let mut aliases = HashMap::new();
    for (from, to) in ours.chain(written) {
        let from = read_domain("aliases", from)?;
        // Whether the target is an outlet is known only when all aliases are known.
        let to = Outlet::new(to).map_err(|_| not_a_domain("aliases", to))?;
        if from == to {
            aliases.remove(&from);
        } else {
            aliases.insert(from, to);
        }
    }
    Ok(aliases)
}

fn read_redirectors(rules: &OutletRules) -> Result<Vec<Redirector>, RulesError> {
    if rules.redirectors.len() > LIST_ENTRIES {
        return Err(RulesError::TooMany("redirectors"));
    }
    let read = |rule: &Redirector| {
        let host = read_domain("redirectors", &rule.host)?.to_string();
        if !rule.path.starts_with('/') {
            return Err(RulesError::Path { host, path: rule.path.clone() });
        }
        if rule.parameters.iter().all(String::is_empty) {
            return Err(RulesError::NoParameter(host));
        }
        Ok(Redirector { host, ..rule.clone() })
    };
    rules.redirectors.iter().map(read).collect()
}

fn read_domain(list: &'static str, name: &str) -> Result<Outlet, RulesError> {
    Outlet::new(name)
        .ok()
        .filter(|outlet| domain::registrable_domain(outlet.as_str()).is_some())
        .ok_or_else(|| not_a_domain(list, name))
}

fn not_a_domain(list: &'static str, name: &str) -> RulesError {
    RulesError::NotADomain { list, name: name.chars().take(80).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Lists, RulesError> {
        Lists::new(&toml::from_str::<OutletRules>(text).unwrap())
    }

    fn refused(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn the_embedded_rules_are_valid_and_hold_nothing_twice() {
        let lists = Lists::new(&OutletRules::default()).unwrap();
        assert_eq!(lists.own_hosts.len(), embedded::OWN_HOSTS.len());
        assert_eq!(lists.aliases.len(), embedded::ALIASES.len());
        let pointers = [
            embedded::PUBLISHER_SHORTENERS.len(),
            embedded::SHORTENERS.len(),
            embedded::AGGREGATORS.len(),
        ];
        assert_eq!(lists.pointers.len(), pointers.iter().sum::<usize>());
    }

    #[test]
    fn rules_survive_being_written_and_read() {
        let rules = OutletRules::default();
        let text = toml::to_string(&rules).unwrap();
        assert_eq!(toml::from_str::<OutletRules>(&text).unwrap(), rules);
    }

    #[test]
    fn configuration_adds_to_the_embedded_lists() {
        let lists = read(
            r#"
            own_hosts = ["blog.example.com"]
            aliases = { "BBC.co.uk" = "bbc.co.uk", "kurier.example" = "gazette.example" }
            "#,
        )
        .unwrap();
        assert!(lists.own_hosts.contains("scholar.google.com"));
        assert!(lists.own_hosts.contains("blog.example.com"));
        assert!(lists.aliases.contains_key("nyti.ms"));
        assert!(!lists.aliases.contains_key("bbc.co.uk"), "an alias to itself takes it away");
        let bare = read("embedded = false").unwrap();
        assert!(bare.own_hosts.is_empty() && bare.aliases.is_empty());
    }

    #[test]
    fn an_alias_target_must_be_an_outlet_as_it_stands() {
        let chain =
            refused(r#"aliases = { "a.example" = "b.example", "b.example" = "c.example" }"#);
        assert!(chain.contains("write `c.example` directly"), "{chain}");
        let deep = refused(r#"aliases = { "a.example" = "news.b.example" }"#);
        assert!(deep.contains("add `news.b.example` to `own_hosts`"), "{deep}");
        let ring = refused(r#"aliases = { "a.example" = "b.example", "b.example" = "a.example" }"#);
        assert!(ring.contains("whose outlet is"), "{ring}");
        assert!(refused(r#"aliases = { "a.example" = "localhost" }"#).contains("`localhost`"));
        let fine = r#"
            own_hosts = ["news.example.com"]
            aliases = { "example.com" = "news.example.com", "b.example" = "x.b.example", "direct.gov.uk" = "gov.uk" }
        "#;
        assert!(read(fine).is_ok(), "{:?}", read(fine));
    }

    #[test]
    fn contradictions_and_nonsense_are_refused_with_the_reason() {
        for (text, reason) in [
            (r#"own_hosts = ["localhost"]"#, "`localhost`"),
            (r#"own_hosts = ["https://a.example/"]"#, "outlets.own_hosts"),
            (r#"shorteners = ["co.uk"]"#, "`co.uk`"),
            (r#"aggregators = ["10.0.0.1"]"#, "outlets.aggregators"),
            (r#"own_hosts = ["bbc.co.uk"]"#, "remove one"),
            (r#"aggregators = ["t.co"]"#, "keep one"),
            (r#"redirectors = [{ host = "a.example", path = "go", parameters = ["u"] }]"#, "`go`"),
            (r#"redirectors = [{ host = "a.example", path = "/", parameters = [] }]"#, "parameter"),
        ] {
            assert!(refused(text).contains(reason), "{text}: {}", refused(text));
        }
        assert!(toml::from_str::<OutletRules>("own_host = []").is_err());
    }

    #[test]
    fn an_outlet_is_its_own_outlet() {
        let lists = Lists::new(&OutletRules::default()).unwrap();
        for outlet in lists.aliases.values().chain(&lists.own_hosts) {
            assert_eq!(domain::outlet_of_host(outlet.as_str(), &lists).as_ref(), Some(outlet));
        }
    }
}
