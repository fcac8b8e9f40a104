//! What an outlet's authority is made of: its name, its kind, its pages, and who cites it.

use probity_core::{Outlet, WebUrl};
use probity_credibility::ledger::Opinion;
use probity_credibility::{
    Assessment, AuthorityMode, AuthoritySource, Basis, Known, Policy, Scorer, Signals,
};

use crate::score::{assess, scorer, tiers_only};

fn blended(url: &str) -> Assessment {
    assess(&scorer(Policy::default()), "noise", url, "", "")
}

#[test]
fn a_name_counts_beside_a_tier_that_anybody_may_register_in() {
    let found = blended("https://www.harborgazette.com/a");
    assert_eq!(found.authority.source(), AuthoritySource::Name);
    let Basis::Name { prior, weight, .. } = found.authority.basis else { panic!("{found:?}") };
    assert!((found.score.authority - (weight * prior + (1.0 - weight) * 0.4)).abs() < 1e-12);
    assert!(found.explanation().contains("tier general 0.40, by its name 0."), "{found:?}");
    let ledger = scorer(Policy { authority: AuthorityMode::Ledger, ..Policy::default() });
    assert_eq!(
        assess(&ledger, "noise", "https://www.harborgazette.com/a", "", "").score.authority,
        0.4
    );
    for url in ["https://www.ox.ac.uk/", "https://en.wikipedia.org/", "https://x.com/a"] {
        assert_eq!(blended(url).authority.source(), AuthoritySource::Tier, "{url}");
    }
}

#[test]
fn an_imitation_is_never_worth_more_than_a_page_of_nobodys() {
    for host in ["reuters-news.co", "nytimes.com.co", "bbc-uk.info"] {
        let found = blended(&format!("https://{host}/world"));
        assert!(found.score.authority <= 0.4, "{host} {found:?}");
    }
    // One letter is Cyrillic; then one has an accent.
    for twin in ["https://www.rеuters.org/", "https://www.réuters.org/"] {
        let twin = WebUrl::parse(twin).unwrap();
        assert!(twin.dns_host().contains("xn--"));
        let found = blended(twin.as_str());
        assert!(found.score.authority <= 0.4, "{found:?}");
        assert!(found.explanation().contains("looks like"), "{found:?}");
    }
    assert_eq!(blended("https://www.reuters.com/").score.authority, 0.92);
}

#[test]
fn on_a_platform_the_author_is_judged_and_not_the_platform() {
    let platform = blended("https://medium.com/@someone/a-story");
    assert!(platform.score.authority < 0.5, "{platform:?}");
    assert_eq!(
        assess(&tiers_only(), "noise", "https://medium.com/@someone/x", "", "").score.authority,
        0.8
    );
    for (url, outlet) in [
        ("https://someone.substack.com/p/1", "someone.substack.com"),
        ("https://someone.wordpress.com/2026/", "someone.wordpress.com"),
    ] {
        let found = blended(url);
        assert_eq!(found.authority.outlet.as_ref().map(Outlet::as_str), Some(outlet));
        assert!(found.score.authority < 0.6, "{found:?}");
    }
}

#[test]
fn kinds_of_outlet_are_distinguished() {
    let worth = |host: &str| blended(&format!("https://{host}/")).score.authority;
    assert!(worth("www.snopes.com") > worth("www.thesun.co.uk"));
    assert!(worth("www.thesun.co.uk") > worth("www.rt.com"));
    assert!(worth("www.rt.com") > worth("www.infowars.com"));
    let found = blended("https://www.rt.com/news/");
    assert!(found.explanation().contains("state-controlled media 0.25"), "{found:?}");
}

#[test]
fn the_parts_of_an_authority_add_up_to_it() {
    let mut scorer = scorer(Policy::default());
    scorer.learn([(Outlet::new("harborgazette.com").unwrap(), Opinion::Coded { moved: 0.05 })]);
    for domain in
        ["reuters.com", "harborgazette.com", "rt.com", "reuters-news.co", "ox.ac.uk", "a.example"]
    {
        let authority = scorer.authority_of(&Outlet::new(domain).unwrap());
        let parts = authority.parts();
        let sum: f64 = parts.iter().map(|part| part.value * part.weight).sum();
        assert!((sum - authority.value).abs() < 1e-9, "{domain} {parts:?}");
        assert!(parts.iter().all(|part| !part.why.is_empty()), "{parts:?}");
    }
}

/// A scorer that knows this of some outlets.
fn knowing(policy: Policy, known: &[(&str, Known)]) -> Scorer {
    let mut scorer = scorer(policy);
    scorer.learn(known.iter().map(|(name, one)| (Outlet::new(name).unwrap(), *one)));
    scorer
}

#[test]
fn what_pages_show_nudges_an_outlet_of_which_nothing_better_is_known() {
    let good = Signals { corrections: true, byline: true, dated: true, ..Signals::default() };
    let shown = |signals| Known { signals: Some(signals), ..Known::default() };
    let bad = Signals { shouts: true, ads: 40, words: 90, ..Signals::default() };
    let of = |known: Known, domain: &str| {
        let scorer = knowing(Policy::default(), &[(domain, known)]);
        scorer.authority_of(&Outlet::new(domain).unwrap())
    };
    let plain = of(Known::default(), "harborgazette.com").value;
    let better = of(shown(good), "harborgazette.com");
    assert!((better.value - plain - 0.03).abs() < 1e-12, "{better}");
    assert!(better.to_string().contains("by its pages +0.03"), "{better}");
    assert!((of(shown(bad), "harborgazette.com").value - plain + 0.05).abs() < 1e-12);
    for known in ["reuters.com", "rt.com", "nytimes.com.co", "ox.ac.uk"] {
        assert_eq!(of(shown(good), known).value, of(Known::default(), known).value, "{known}");
    }
    let parts = better.parts();
    let pages = parts.iter().find(|part| part.part == "pages").unwrap();
    assert!(pages.why.contains("links corrections +0.02"), "{pages:?}");
}

#[test]
fn who_is_cited_by_credible_outlets_gains_where_that_is_switched_on() {
    let cited = Known { cited_by: 3, ..Known::default() };
    let of = |citations, domain: &str| {
        let policy = Policy { citations, ..Policy::default() };
        knowing(policy, &[(domain, cited)]).authority_of(&Outlet::new(domain).unwrap())
    };
    let (off, on) = (of(false, "harborgazette.com"), of(true, "harborgazette.com"));
    assert!((on.value - off.value - 0.04).abs() < 1e-12, "{on}");
    assert!(on.to_string().contains("by citations +0.04"), "{on}");
    let imitation = of(true, "reuters-news.co");
    assert!(imitation.value <= 0.4, "{imitation}");
    for authority in [off, on] {
        let sum: f64 = authority.parts().iter().map(|part| part.value * part.weight).sum();
        assert!((sum - authority.value).abs() < 1e-9, "{authority}");
    }
}

#[test]
fn a_farm_of_new_domains_makes_nobody_credible() {
    let scorer = knowing(Policy { citations: true, ..Policy::default() }, &[]);
    let has = |domain: &str| scorer.is_credible(&Outlet::new(domain).unwrap());
    for farm in
        ["thedailygazettenews.com", "best-health-tips-247.info", "newfarm.org", "reuters-news.co"]
    {
        assert!(!has(farm), "{farm}");
    }
    for earned in ["nature.com", "reuters.com", "ox.ac.uk", "theguardian.com"] {
        assert!(has(earned), "{earned}");
    }
    assert!(!has("rt.com") && !has("facebook.com"));
    // However often they link to each other, and whatever their pages show.
    let loud = Known {
        signals: Some(Signals { corrections: true, standards: true, ..Signals::default() }),
        cited_by: 10_000,
        ..Known::default()
    };
    let scorer = knowing(
        Policy { citations: true, ..Policy::default() },
        &[("thedailygazettenews.com", loud)],
    );
    assert!(!scorer.is_credible(&Outlet::new("thedailygazettenews.com").unwrap()));
}
