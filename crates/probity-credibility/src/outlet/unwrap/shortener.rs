//! Short addresses: a publisher's own tell the outlet, anyone's tell nothing.

use super::address::Address;
use super::{Service, ServiceKind, Step};
use crate::outlet::domain::names_above;
use crate::outlet::rules::{Lists, Pointer};

pub(super) fn step(address: &Address<'_>, lists: &Lists) -> Option<Step> {
    let listed = names_above(address.host())
        .take_while(|name| name.len() >= address.registrable().len())
        .find_map(|name| lists.pointers.get(name));
    match listed {
        Some(Pointer::PublisherShortener) => Some(Step::OutletOnly),
        Some(Pointer::Shortener) => {
            Some(Step::Opaque(Service { name: "a link shortener", kind: ServiceKind::Pointer }))
        }
        Some(Pointer::Aggregator) => {
            Some(Step::Opaque(Service { name: "an aggregator", kind: ServiceKind::Aggregator }))
        }
        None => on_its_own_domain(address).then_some(Step::OutletOnly),
    }
}

/// Many publishers shorten on `on.` before their domain: one short word and nothing else.
fn on_its_own_domain(address: &Address<'_>) -> bool {
    const WORD: std::ops::RangeInclusive<usize> = 5..=12;
    let Some(code) = address.path().strip_prefix('/') else { return false };
    address.host().strip_prefix("on.") == Some(address.registrable())
        && WORD.contains(&code.len())
        && code.bytes().all(|b| b.is_ascii_alphanumeric())
}
