//! Settings that a test changes, kept in memory.

use std::collections::BTreeMap;
use std::sync::Mutex;

use probity_core::Modes;
use probity_core::Secret;
use probity_server::{
    Adjust, AdjustError, KeyView, Later, NewKey, NewWay, Origin, ThresholdChange, Thresholds,
    ThresholdsView, Trial, WayView,
};

/// A key that every provider of a test refuses.
pub(crate) const REFUSED: &str = "a-key-that-is-refused";

#[derive(Default)]
pub(crate) struct TestAdjust {
    keys: Mutex<BTreeMap<String, (Secret, String)>>,
    change: Mutex<Option<(ThresholdChange, String)>>,
    ways: Mutex<Vec<WayView>>,
}

fn usual() -> Thresholds {
    Thresholds { credibility: 0.5, modes: Modes::default() }
}

impl TestAdjust {
    /// The thresholds in force.
    pub(crate) fn in_force(&self) -> Thresholds {
        let change = self.change.lock().unwrap();
        change.as_ref().map_or(usual(), |(change, _)| change.over(usual()))
    }
}

impl Adjust for TestAdjust {
    fn keys(&self) -> Vec<KeyView> {
        let keys = self.keys.lock().unwrap();
        let view = |name: &str| KeyView {
            name: name.to_owned(),
            label: format!("The key of {}", name.replace('.', " ")),
            needed: true,
            variable: "BRAVE_API_KEY",
            origin: keys.get(name).map(|_| Origin::Page),
            set_at: keys.get(name).map(|_| "2026-11-15T12:00:00Z".to_owned()),
            set_by: keys.get(name).map(|(_, by)| by.clone()),
        };
        vec![view("model.anthropic"), view("search.brave")]
    }

    fn set_key<'a>(&'a self, new: NewKey<'a>) -> Later<'a, Result<String, AdjustError>> {
        let NewKey { name, key, by, trial } = new;
        let known = self.keys().iter().any(|view| view.name == name);
        let set = match (known, key.expose() == REFUSED, trial) {
            (false, _, _) => Err(AdjustError::Unknown("there is no such provider".to_owned())),
            (true, true, Trial::Needed) => {
                let why = "the test failed: 401".to_owned();
                Err(AdjustError::Wrong { field: "key", why })
            }
            _ => {
                self.keys.lock().unwrap().insert(name.to_owned(), (key, by.to_owned()));
                Ok(format!("{name} answers"))
            }
        };
        Box::pin(std::future::ready(set))
    }

    fn remove_key(&self, name: &str) -> Result<(), AdjustError> {
        let removed = self.keys.lock().unwrap().remove(name);
        removed.map(drop).ok_or_else(|| AdjustError::Unknown("no key was set".to_owned()))
    }

    fn thresholds(&self) -> ThresholdsView {
        let set = self.change.lock().unwrap().clone();
        let set = set.map(|(_, by)| ("2026-11-15T12:00:00Z".to_owned(), by));
        ThresholdsView::new(self.in_force(), usual(), set)
    }

    fn set_thresholds(&self, change: &ThresholdChange, by: &str) -> Result<(), AdjustError> {
        let change = ThresholdChange::between(usual(), change.over(self.in_force()));
        *self.change.lock().unwrap() = Some((change, by.to_owned()));
        Ok(())
    }

    fn reset_thresholds(&self) -> Result<(), AdjustError> {
        *self.change.lock().unwrap() = None;
        Ok(())
    }

    fn ways(&self) -> Vec<WayView> {
        self.ways.lock().unwrap().clone()
    }

    fn add_way<'a>(
        &'a self,
        way: &'a NewWay,
        by: &'a str,
    ) -> Later<'a, Result<WayView, AdjustError>> {
        let Some(to) = way.url.clone() else {
            let why = "an address is needed".to_owned();
            return Box::pin(std::future::ready(Err(AdjustError::Wrong { field: "url", why })));
        };
        let mut ways = self.ways.lock().unwrap();
        let added = WayView {
            id: format!("way-{}", ways.len()),
            kind: way.kind,
            to,
            has_secret: way.secret.is_some(),
            paused: false,
            origin: Origin::Page,
            set_at: Some("2026-11-15T12:00:00Z".to_owned()),
            set_by: Some(by.to_owned()),
        };
        ways.push(added.clone());
        Box::pin(std::future::ready(Ok(added)))
    }

    fn pause_way(&self, id: &str, paused: bool) -> Result<(), AdjustError> {
        let mut ways = self.ways.lock().unwrap();
        let way = ways.iter_mut().find(|way| way.id == id);
        let way = way.ok_or_else(|| AdjustError::Unknown("there is no such way".to_owned()))?;
        way.paused = paused;
        Ok(())
    }

    fn remove_way(&self, id: &str) -> Result<(), AdjustError> {
        self.pause_way(id, false)?;
        self.ways.lock().unwrap().retain(|way| way.id != id);
        Ok(())
    }

    fn test_way<'a>(&'a self, id: &'a str) -> Later<'a, Result<Option<String>, AdjustError>> {
        let known = self.pause_way(id, false).map(|()| Some("nobody answers".to_owned()));
        Box::pin(std::future::ready(known))
    }
}
