//! `probity alerts`: who is alerted, and whether it reaches them.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Subcommand;
use probity_web::notify::{Channel, Message, Messenger};
use serde_json::json;

use crate::app::App;
use crate::output;

/// What may be typed after `probity alerts`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Show the channels and what each receives.
    Show,
    /// Send a test message on every configured channel, and show the results.
    Test,
}

/// Runs `probity alerts`.
pub(crate) async fn run(command: &Command, app: &App) -> anyhow::Result<ExitCode> {
    let channels = app.settings.alerts.channels();
    if channels.is_empty() {
        output::note(
            "No alert is sent: set up a channel below [alerts] in the configuration, or on the page",
        );
    }
    match command {
        Command::Show => show(&channels, app),
        Command::Test => test(&channels, app).await,
    }
}

/// Where a message goes, without what opens it.
pub(crate) fn place(channel: &Channel) -> String {
    match channel {
        Channel::Webhook { url, secret } => {
            let signed = if secret.is_some() { "signed" } else { "not signed" };
            format!("{url} ({signed})")
        }
        Channel::Ntfy { url, .. } => url.to_string(),
        Channel::Mail(server) => format!("{} by {}", server.to.join(", "), server.host),
    }
}

fn show(channels: &[(String, Channel)], app: &App) -> anyhow::Result<ExitCode> {
    let settings = &app.settings.alerts;
    if app.json {
        let ways: Vec<_> = channels
            .iter()
            .map(|(name, channel)| json!({ "way": name, "to": place(channel) }))
            .collect();
        output::print_json(&json!({
            "ways": ways, "categories": settings.categories, "outlets": settings.outlets,
            "questions": settings.questions,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    for (name, channel) in channels {
        output::print_line(&format!("{name:<8}  {}", place(channel)))?;
    }
    let named = |what: &str, is: bool| if is { what.to_owned() } else { format!("not {what}") };
    let categories = match settings.categories.is_empty() {
        true => "no category".to_owned(),
        false => settings.categories.join(", "),
    };
    output::print_line(&format!("alerts    new topics of {categories}"))?;
    output::print_line(&format!("          {}", named("outlets that fall", settings.outlets)))?;
    output::print_line(&format!("          {}", named("saved questions", settings.questions)))?;
    Ok(ExitCode::SUCCESS)
}

/// What is sent to find out whether a way leads anywhere.
pub(crate) fn test_message(app: &App) -> Message {
    Message {
        kind: "test".to_owned(),
        title: "A test message of Probity".to_owned(),
        lines: vec!["If you can read this, alerts will reach you.".to_owned()],
        link: app.settings.alerts.link("/settings"),
        at: app.clock.now().to_string(),
    }
}

async fn test(channels: &[(String, Channel)], app: &App) -> anyhow::Result<ExitCode> {
    let messenger = Messenger::new(app.fetch_settings(&[])?).context("cannot prepare to send")?;
    let message = test_message(app);
    let mut results = Vec::new();
    for (name, channel) in channels {
        let sent = messenger.send(channel, &message).await;
        results.push((name, sent.err().map(|error| error.to_string())));
    }
    let failed = results.iter().any(|(_, error)| error.is_some());
    if app.json {
        let rows = results.iter();
        let rows = rows.map(|(name, error)| json!({ "way": name, "error": error }));
        output::print_json(&rows.collect::<Vec<_>>())?;
    } else {
        for (name, error) in &results {
            let said = error.as_deref().map_or("sent".to_owned(), |why| format!("failed: {why}"));
            output::print_line(&format!("{name}: {said}"))?;
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
