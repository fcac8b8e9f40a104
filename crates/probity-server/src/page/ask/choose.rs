//! What the form offers to choose from: how far, where, and who writes.

use std::time::Duration;

use probity_core::Mode;

use super::Asked;
use crate::backend::{Constants, Cost, Offer, Place};
use crate::state::Server;

/// How long the form waits to hear whether the web can be reached before it is shown.
pub(super) const BEFORE_SHOWING: Duration = Duration::from_millis(40);
/// How long it is waited for before a question is asked.
pub(super) const BEFORE_ASKING: Duration = Duration::from_secs(2);
/// The box of what is brought along.
const FILES: &str = "files";

/// A mode as the form offers it.
pub(super) struct ModeChoice {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) words: String,
    pub(super) chosen: bool,
}

pub(super) fn modes(constants: &Constants, chosen: Mode) -> Vec<ModeChoice> {
    let choice = |mode| {
        let numbers = constants.modes.of(mode);
        ModeChoice {
            name: mode.as_str(),
            label: match mode {
                Mode::Quick => "Quick",
                Mode::Standard => "Standard",
                Mode::Deep => "Deep",
                Mode::Exhaustive => "Exhaustive",
            },
            words: format!("{} sources, about {} words", numbers.max_sources(), numbers.words),
            chosen: mode == chosen,
        }
    };
    Mode::ALL.into_iter().map(choice).collect()
}

/// A place as the form offers it.
pub(super) struct Box {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) about: String,
    pub(super) missing: Option<String>,
    pub(super) chosen: bool,
}

/// Which boxes are ticked; none where the form was not sent yet.
pub(super) struct Where {
    ticked: Option<[bool; 4]>,
    /// Names of providers instead.
    names: Vec<String>,
}

/// Where a run looks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) search: Option<String>,
    pub(super) files: bool,
}

const LABELS: [(&str, &str); 3] =
    [("web", "The web"), ("library", "Your library"), ("news", "Your news")];

impl Where {
    pub(super) fn of(asked: &Asked) -> Self {
        let given = [&asked.web, &asked.library, &asked.news, &asked.files];
        let ticked = given.map(Option::is_some);
        let names = asked.search.as_deref().unwrap_or_default().split(',').map(str::trim);
        Self {
            ticked: ticked.contains(&true).then_some(ticked),
            names: names.filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        }
    }

    /// The boxes: as they were ticked, as the address names them, or wherever something can be found.
    pub(super) fn boxes(&self, places: &[Place]) -> Vec<Box> {
        let mut boxes: Vec<Box> = LABELS
            .into_iter()
            .enumerate()
            .map(|(place, (name, label))| {
                let known = places.iter().find(|place| place.name == name);
                let missing = known.and_then(|place| place.missing.clone());
                let chosen = match &self.ticked {
                    Some(ticked) => ticked.get(place).copied().unwrap_or(false),
                    None if self.names.is_empty() => missing.is_none(),
                    None => self.names.iter().any(|named| named == name),
                };
                let about = known.map(|place| place.about.clone()).unwrap_or_default();
                Box { name, label, about, missing, chosen }
            })
            .collect();
        let chosen = self.ticked.is_none_or(|[.., files]| files);
        let about = "what you bring along below".to_owned();
        boxes.push(Box { name: FILES, label: "These files", about, missing: None, chosen });
        boxes
    }

    /// Where to look, or why nothing could be found there.
    pub(super) fn chosen(
        &self,
        asked: &Asked,
        places: &[Place],
        urls: bool,
    ) -> Result<Chosen, String> {
        let files = asked.upload.is_some() && self.ticked.is_none_or(|[.., files]| files);
        if !self.names.is_empty() {
            return Ok(Chosen { search: Some(self.names.join(",")), files });
        }
        let Some(ticked) = self.ticked else {
            // A form without boxes leaves it to the settings, or to what it brings along.
            return Ok(Chosen { search: None, files });
        };
        let names: Vec<&str> =
            LABELS.iter().zip(ticked).filter(|(_, is)| *is).map(|((name, _), _)| *name).collect();
        if names.is_empty() {
            return match files || urls {
                true => Ok(Chosen { search: None, files }),
                false => Err("Choose where to look, or bring something along.".to_owned()),
            };
        }
        let missing = |name: &&str| {
            let place = places.iter().find(|place| place.name == *name)?;
            place.missing.as_ref().map(|why| format!("{name}: {why}"))
        };
        let missing: Vec<String> = names.iter().filter_map(missing).collect();
        let hopeless = missing.len() == names.len() && !files && !urls;
        if hopeless && asked.anyway.is_none() {
            let why = missing.join("; ");
            return Err(format!(
                "Nothing can be found there now ({why}). Ask again to try anyway."
            ));
        }
        Ok(Chosen { search: Some(names.join(",")), files })
    }
}

/// An author, as the form offers them.
pub(super) struct Offered {
    pub(super) name: String,
    pub(super) writes: String,
    pub(super) costs: String,
    pub(super) chosen: bool,
}

pub(super) fn offered(server: &Server, chosen: Option<&str>) -> Vec<Offered> {
    let offers = server.backend.offers().into_iter().enumerate();
    let offer = |(place, offer): (usize, Offer)| Offered {
        costs: costs(&offer.costs),
        chosen: chosen.map_or(place == 0, |name| name == offer.name),
        name: offer.name,
        writes: offer.writes,
    };
    offers.map(offer).collect()
}

/// What a run costs in each mode, in a line.
fn costs(costs: &[Cost]) -> String {
    let parts = |cost: &Cost| match (cost.from, cost.to) {
        (Some(_), Some(0.0)) => None,
        (Some(from), Some(to)) => Some(format!("{} ${}–{}", cost.mode, money(from), money(to))),
        _ => Some(format!("{} at a price that is not known", cost.mode)),
    };
    let parts: Vec<String> = costs.iter().filter_map(parts).collect();
    if parts.is_empty() { "costs nothing".to_owned() } else { parts.join(", ") }
}

/// Dollars with as many digits as tell something.
fn money(dollars: f64) -> String {
    match dollars {
        0.1.. => format!("{dollars:.2}"),
        _ => format!("{dollars:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Vec<Place> {
        let place = |name, missing: Option<&str>| Place {
            name,
            about: String::new(),
            missing: missing.map(str::to_owned),
        };
        vec![place("web", Some("no network")), place("library", None), place("news", Some("none"))]
    }

    fn on(names: &[&str]) -> Asked {
        let tick = |name: &str| names.contains(&name).then(|| "on".to_owned());
        Asked {
            web: tick("web"),
            library: tick("library"),
            news: tick("news"),
            files: tick("files"),
            ..Asked::default()
        }
    }

    fn chosen(asked: &Asked) -> Result<Chosen, String> {
        Where::of(asked).chosen(asked, &places(), false)
    }

    #[test]
    fn what_can_be_found_is_ticked_until_somebody_ticks() {
        let ticked = |asked: &Asked| {
            let boxes = Where::of(asked).boxes(&places());
            boxes.iter().filter(|one| one.chosen).map(|one| one.name).collect::<Vec<_>>()
        };
        assert_eq!(ticked(&Asked::default()), ["library", "files"]);
        assert_eq!(ticked(&on(&["web"])), ["web"]);
        let named = Asked { search: Some("news".to_owned()), ..Asked::default() };
        assert_eq!(ticked(&named), ["news", "files"]);
    }

    #[test]
    fn the_boxes_become_names_and_what_is_hopeless_is_said_first() {
        let both = chosen(&on(&["web", "library"])).unwrap();
        assert_eq!(both, Chosen { search: Some("web,library".to_owned()), files: false });
        assert!(chosen(&on(&["web"])).unwrap_err().contains("no network"));
        let anyway = Asked { anyway: Some("on".to_owned()), ..on(&["web"]) };
        assert_eq!(chosen(&anyway).unwrap().search.as_deref(), Some("web"));
        let brought = Asked { upload: Some("u".to_owned()), ..on(&["files"]) };
        assert_eq!(chosen(&brought).unwrap(), Chosen { search: None, files: true });
        let left = Asked { upload: Some("u".to_owned()), ..on(&["library"]) };
        assert!(!chosen(&left).unwrap().files, "unticked, they are not asked");
        assert_eq!(chosen(&Asked::default()).unwrap(), Chosen { search: None, files: false });
    }

    #[test]
    fn prices_have_as_many_digits_as_tell_something() {
        let cost = |mode, from, to| Cost { mode, from: Some(from), to: Some(to) };
        let text = costs(&[cost("quick", 0.004, 0.016), cost("deep", 0.21, 0.83)]);
        assert_eq!(text, "quick $0.004–0.016, deep $0.21–0.83");
        assert_eq!(costs(&[cost("quick", 0.0, 0.0)]), "costs nothing");
    }
}
