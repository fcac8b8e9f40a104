//! Ways to reach people that admins keep on the page.

use probity_server::{AdjustError, NewWay, Origin, WayKind, WayView};
use probity_web::notify::{Channel, Messenger};

use super::adjust::failed;
use crate::app::App;
use crate::command::alerts::{place, test_message};
use crate::config::page::PageSettings;
use crate::config::page::way::{KeptWay, Place, WAYS_MOST};
use crate::{alert, report_file};

fn unknown() -> AdjustError {
    AdjustError::Unknown("there is no such way that was set up on the page".to_owned())
}

/// Those of the configuration file first, then those of the page.
pub(super) fn list(app: &App) -> Vec<WayView> {
    let settings = &app.settings.alerts;
    let written = settings.written_channels().into_iter().map(|(name, channel)| WayView {
        id: name.to_owned(),
        kind: kind(&channel),
        to: place(&channel),
        has_secret: has_secret(&channel),
        paused: false,
        origin: Origin::File,
        set_at: None,
        set_by: None,
    });
    written.chain(settings.kept.iter().map(|(id, way)| view(id, way))).collect()
}

fn view(id: &str, way: &KeptWay) -> WayView {
    WayView {
        id: id.to_owned(),
        kind: way.place.kind(),
        to: place(&way.place.channel(way.secret.clone())),
        has_secret: way.secret.is_some(),
        paused: way.paused,
        origin: Origin::Page,
        set_at: Some(way.set_at.clone()),
        set_by: Some(way.set_by.clone()),
    }
}

fn kind(channel: &Channel) -> WayKind {
    match channel {
        Channel::Webhook { .. } => WayKind::Webhook,
        Channel::Ntfy { .. } => WayKind::Ntfy,
        Channel::Mail(_) => WayKind::Mail,
    }
}

fn has_secret(channel: &Channel) -> bool {
    match channel {
        Channel::Webhook { secret, .. } => secret.is_some(),
        Channel::Ntfy { token, .. } => token.is_some(),
        Channel::Mail(server) => server.password.is_some(),
    }
}

/// Adds a way, and sees to it that news is looked for from now on.
pub(super) async fn add(app: &App, way: &NewWay, by: &str) -> Result<WayView, AdjustError> {
    let leads = Place::of(way).map_err(|(field, why)| AdjustError::Wrong { field, why })?;
    let letters = report_file::letters().map_err(failed)?;
    let id = format!("{}-{letters}", leads.kind().as_str());
    let kept = KeptWay {
        set_at: app.clock.now().to_string(),
        set_by: by.to_owned(),
        paused: false,
        secret: way.secret.clone().filter(|secret| !secret.expose().is_empty()),
        place: leads,
    };
    let added = view(&id, &kept);
    let is_kept = PageSettings::change(&app.paths, |page| {
        let room = page.alerts.len() < WAYS_MOST;
        if room {
            page.alerts.insert(id, kept);
        }
        Ok(room)
    });
    if !is_kept.map_err(failed)? {
        let why = format!("there are {WAYS_MOST} ways already; remove one first");
        return Err(AdjustError::Conflict(why));
    }
    let store = app.store().await.map_err(failed)?;
    alert::arrange(&store).await.map_err(|error| failed(error.into()))?;
    Ok(added)
}

/// Pauses a way, or goes on with it.
pub(super) fn pause(app: &App, id: &str, paused: bool) -> Result<(), AdjustError> {
    let changed = PageSettings::change(&app.paths, |page| {
        Ok(page.alerts.get_mut(id).map(|way| way.paused = paused).is_some())
    });
    if changed.map_err(failed)? { Ok(()) } else { Err(unknown()) }
}

/// Removes a way with its secret.
pub(super) fn remove(app: &App, id: &str) -> Result<(), AdjustError> {
    let removed = PageSettings::change(&app.paths, |page| Ok(page.alerts.remove(id).is_some()));
    if removed.map_err(failed)? { Ok(()) } else { Err(unknown()) }
}

/// Sends a test message, also where the way is paused.
pub(super) async fn test(app: &App, id: &str) -> Result<Option<String>, AdjustError> {
    let settings = &app.settings.alerts;
    let kept = settings.kept.get(id).map(|way| way.place.channel(way.secret.clone()));
    let written = || settings.written_channels().into_iter().find(|(name, _)| *name == id);
    let channel = kept.or_else(|| written().map(|(_, channel)| channel)).ok_or_else(unknown)?;
    let fetch = app.fetch_settings(&[]).map_err(failed)?;
    let messenger = Messenger::new(fetch).map_err(|error| failed(error.into()))?;
    let sent = messenger.send(&channel, &test_message(app)).await;
    Ok(sent.err().map(|error| error.to_string()))
}
