//! What admins set on the page: tried with its provider, written down, in force at once.

use probity_core::Secret;
use probity_server::{
    Adjust, AdjustError, KeyView, Later, NewKey, NewWay, Origin, ThresholdChange, ThresholdsView,
    Trial, WayView,
};

use super::sign_on::Oidc;
use super::{ProgramBackend, ways};
use crate::app::App;
use crate::command::doctor::reach;
use crate::config::env;
use crate::config::page::key::KeyName;
use crate::config::page::{KeptKey, KeptThresholds, PageSettings};

/// The longest key that is taken, in characters: several times the longest that any provider gives out.
const KEY_CHARS_MAX: usize = 8_192;

/// What went wrong with the file, for an admin.
pub(super) fn failed(error: anyhow::Error) -> AdjustError {
    // A hint is of the command line; what went wrong follows it.
    let hinted = error.downcast_ref::<crate::failure::Hint>().is_some();
    let causes: Vec<String> =
        error.chain().skip(usize::from(hinted)).map(ToString::to_string).collect();
    AdjustError::Failed(causes.join(": "))
}

fn named(name: &str) -> Result<KeyName, AdjustError> {
    name.parse().map_err(AdjustError::Unknown)
}

/// The environment variable that sets a key, where one does.
fn in_environment(name: KeyName) -> Option<String> {
    name.set_by(|variable| env::lookup(variable).is_some_and(|value| !value.trim().is_empty()))
}

/// A key as it can be sent: one line of visible ASCII, neither too short nor too long.
fn usable(key: &Secret) -> Result<Secret, AdjustError> {
    let wrong = |why: String| AdjustError::Wrong { field: "key", why };
    let text = key.expose().trim();
    if text.chars().count() > KEY_CHARS_MAX {
        return Err(wrong(format!("has more than {KEY_CHARS_MAX} characters")));
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(wrong("holds a space or a letter that no key holds; copy it again".to_owned()));
    }
    let key = Secret::new(text);
    key.check_key().map_err(wrong)?;
    Ok(key)
}

/// Asks the provider of a key something small, as `probity doctor` does.
async fn tried(app: &App, name: KeyName, key: &Secret) -> Result<String, String> {
    let mut settings = app.settings.clone();
    name.put(&mut settings, Some(key.clone()));
    let app = app.with_settings(settings);
    let answered = match name {
        KeyName::Model(provider) => reach::ask_model_provider(&app, provider).await,
        KeyName::Search(provider) => reach::ask_search_provider(&app, provider).await,
        KeyName::LogIn => match Oidc::open(&app) {
            Ok(Some(oidc)) => oidc.probe().await,
            Ok(None) => Err("`issuer` is not set in [oidc] of the configuration".to_owned()),
            Err(error) => Err(format!("{error:#}")),
        },
    };
    answered.map_err(|said| key.redact(&said))
}

impl Adjust for ProgramBackend {
    fn keys(&self) -> Vec<KeyView> {
        let app = self.app();
        let page = PageSettings::read(&app.paths).unwrap_or_default();
        let view = |name: KeyName| {
            let kept = page.keys.get(&name);
            let written = app.written().is_some_and(|written| name.is_in(written));
            let origin = match (in_environment(name), kept, written) {
                (Some(_), _, _) => Some(Origin::Environment),
                (None, Some(_), _) => Some(Origin::Page),
                (None, None, true) => Some(Origin::File),
                (None, None, false) => None,
            };
            KeyView {
                name: name.to_string(),
                label: name.label(),
                needed: name.is_needed(),
                variable: name.variable().unwrap_or_default(),
                origin,
                set_at: kept.map(|kept| kept.set_at.clone()),
                set_by: kept.map(|kept| kept.set_by.clone()),
            }
        };
        // Without a provider no secret is needed.
        let is_of_use = |name: &KeyName| match name {
            KeyName::LogIn => app.settings.oidc.issuer.is_some(),
            _ => true,
        };
        KeyName::all().filter(is_of_use).map(view).collect()
    }

    fn set_key<'a>(&'a self, new: NewKey<'a>) -> Later<'a, Result<String, AdjustError>> {
        Box::pin(async move {
            let NewKey { name, key, by, trial } = new;
            let name = named(name)?;
            if let Some(variable) = in_environment(name) {
                return Err(AdjustError::Conflict(format!(
                    "{variable} in the environment overrides this key; unset it and restart first"
                )));
            }
            let (app, key) = (self.app(), usable(&key)?);
            let said = match (tried(&app, name, &key).await, trial) {
                (Ok(said), _) => said,
                (Err(said), Trial::Waived) => format!("kept, though the test failed: {said}"),
                (Err(said), Trial::Needed) => {
                    let why = format!("the test failed, and the key was not kept: {said}");
                    return Err(AdjustError::Wrong { field: "key", why });
                }
            };
            let kept = KeptKey { key, set_at: app.clock.now().to_string(), set_by: by.to_owned() };
            let kept = PageSettings::change(&app.paths, |page| {
                page.keys.insert(name, kept);
                Ok(())
            });
            kept.map_err(failed)?;
            Ok(said)
        })
    }

    fn remove_key(&self, name: &str) -> Result<(), AdjustError> {
        let name = named(name)?;
        let removed =
            PageSettings::change(&self.app().paths, |page| Ok(page.keys.remove(&name).is_some()));
        match removed.map_err(failed)? {
            true => Ok(()),
            false => Err(AdjustError::Unknown(format!("no key of {name} was set on the page"))),
        }
    }

    fn thresholds(&self) -> ThresholdsView {
        let app = self.app();
        let in_force = app.settings.thresholds();
        let written = app.written().map_or(in_force, |written| written.thresholds());
        let page = PageSettings::read(&app.paths).unwrap_or_default();
        let set = page.thresholds.map(|kept| (kept.set_at, kept.set_by));
        ThresholdsView::new(in_force, written, set)
    }

    fn set_thresholds(&self, change: &ThresholdChange, by: &str) -> Result<(), AdjustError> {
        let app = self.app();
        let wanted = change.over(app.settings.thresholds());
        let wrong = |why| AdjustError::Wrong { field: "thresholds", why };
        wanted.check().map_err(wrong)?;
        let written = app.written().map_or(wanted, |written| written.thresholds());
        // What the configuration file says anyway is left to it.
        let change = ThresholdChange::between(written, wanted);
        let (set_at, set_by) = (app.clock.now().to_string(), by.to_owned());
        let kept = PageSettings::change(&app.paths, |page| {
            let kept = KeptThresholds { set_at, set_by, change };
            page.thresholds = Some(kept).filter(|kept| !kept.change.is_empty());
            Ok(())
        });
        kept.map_err(failed)
    }

    fn reset_thresholds(&self) -> Result<(), AdjustError> {
        let reset = PageSettings::change(&self.app().paths, |page| {
            page.thresholds = None;
            Ok(())
        });
        reset.map_err(failed)
    }

    fn ways(&self) -> Vec<WayView> {
        ways::list(&self.app())
    }

    fn add_way<'a>(
        &'a self,
        way: &'a NewWay,
        by: &'a str,
    ) -> Later<'a, Result<WayView, AdjustError>> {
        Box::pin(async move { ways::add(&self.app(), way, by).await })
    }

    fn pause_way(&self, id: &str, paused: bool) -> Result<(), AdjustError> {
        ways::pause(&self.app(), id, paused)
    }

    fn remove_way(&self, id: &str) -> Result<(), AdjustError> {
        ways::remove(&self.app(), id)
    }

    fn test_way<'a>(&'a self, id: &'a str) -> Later<'a, Result<Option<String>, AdjustError>> {
        Box::pin(async move { ways::test(&self.app(), id).await })
    }
}
