//! `probity serve`: the web page and the API, and workers for the runs that are asked there.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use probity_news::schedule::Until;
use probity_research::work::work;
use probity_server::{Door, Doors, Server, Setup, Stopped, serve};
use probity_store::Store;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::app::App;
use crate::backend::ProgramBackend;
use crate::failure::{WithHint as _, usage};
use crate::live::Live;
use crate::output;

use super::worker;

/// Requests per second that one address may make where callers log in.
const USUAL_RATE: u32 = 50;
/// The same where one person's own machine is all that can call.
pub(super) const OPEN_RATE: u32 = 2_000;

/// What may be typed after `probity serve`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The address to listen on. Any but loopback needs a user, a token or a provider in `[oidc]`.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8642")]
    bind: SocketAddr,
    /// The address at which people reach the server through a proxy. May be repeated; a provider
    /// sends people back to the first.
    #[arg(long, value_name = "URL")]
    public_url: Vec<String>,
    /// Ask callers to log in even on loopback, as behind a proxy.
    #[arg(long)]
    login: bool,
    /// Execute no runs and poll no feeds here; leave them to `probity worker`.
    #[arg(long)]
    no_workers: bool,
    /// Let agents code outlets over MCP, which moves their scores.
    #[arg(long)]
    allow_coding: bool,
    /// Requests per second that one address may make.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rate: Option<u32>,
}

impl Args {
    /// A server at this address, as if nothing else had been typed.
    pub(super) fn at(bind: SocketAddr) -> Self {
        let (public_url, login, no_workers) = (Vec::new(), false, false);
        Self { bind, public_url, login, no_workers, allow_coding: false, rate: None }
    }
}

/// Opens the port.
pub(super) async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}"))
        .hint("another program may use the port; choose one with --bind")
}

/// Runs `probity serve`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let app = &if args.allow_coding { app.clone().with_coding() } else { app.clone() };
    let store = app.store().await?;
    let door = door(args, app, &store).await?;
    let listener = listen(args.bind).await?;
    let address = listener.local_addr()?;
    let mut doors = Doors::at(address);
    for public in &args.public_url {
        doors =
            doors.with_public(public).map_err(|error| usage(format!("--public-url: {error}")))?;
    }
    let usual = if door == Door::Open { OPEN_RATE } else { USUAL_RATE };
    let server = Server::new(Setup {
        store: store.clone(),
        backend: Arc::new(ProgramBackend::new(Live::new(app))?),
        clock: app.clock,
        door,
        doors,
        rate: args.rate.unwrap_or(usual),
        workers: !args.no_workers,
        queue: app.settings.queue.limits(),
        failures_most: app.settings.queue.failures_most,
    })?;
    let stop = worker::stop_switch();
    let workers = match args.no_workers {
        true => None,
        false => Some(start_workers(app, &store, stop.clone()).await?),
    };
    if app.json {
        output::print_json(&serde_json::json!({ "url": format!("http://{address}/") }))?;
    } else {
        output::print_line(&format!("http://{address}/"))?;
        output::note(match door {
            Door::Open => "Anyone on this machine can use it; Ctrl-C stops it",
            Door::Login => "Users and tokens can use it; Ctrl-C stops it",
        });
    }
    let stopped = serve(server, listener, asked_to_stop(stop)).await;
    if let Some(workers) = workers {
        let _ = workers.await;
    }
    if stopped == Stopped::CutOff {
        output::note("Some requests took too long and were aborted");
    }
    store.close().await;
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn asked_to_stop(mut stop: watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Whether callers have to log in; refuses what would be open to everybody.
async fn door(args: &Args, app: &App, store: &Store) -> anyhow::Result<Door> {
    let is_private = args.bind.ip().is_loopback() && args.public_url.is_empty();
    if is_private && !args.login {
        return Ok(Door::Open);
    }
    let elsewhere = app.settings.oidc.issuer.is_some();
    if elsewhere && args.bind.ip().is_unspecified() && args.public_url.is_empty() {
        return Err(usage(format!(
            "{} is no address that a provider can send people to",
            args.bind
        )))
        .hint("name the address of the site with --public-url: [oidc] needs it");
    }
    let somebody =
        elsewhere || !store.users().await?.is_empty() || !store.tokens().await?.is_empty();
    if somebody {
        return Ok(Door::Login);
    }
    let why = match args.bind.ip().is_loopback() {
        true => "callers would have to log in, but there is no user and no token".to_owned(),
        false => {
            format!("{} can be reached from other machines, and no login is required", args.bind)
        }
    };
    Err(usage(why)).hint(
        "add a user with `probity users add NAME --role admin` or a token with `probity tokens add \
         NAME`, name a provider in [oidc], or listen on loopback",
    )
}

/// Executes runs and polls feeds, as `probity worker` does.
pub(super) async fn start_workers(
    app: &App,
    store: &Store,
    stop: watch::Receiver<bool>,
) -> anyhow::Result<tokio::task::JoinHandle<()>> {
    let settings = app.settings.worker.of(worker::name()?);
    let kinds = worker::KINDS.map(str::to_owned);
    let handlers = worker::handlers(&kinds, app)?;
    worker::arrange(&kinds, app, store).await?;
    let (app, store) = (app.clone(), store.clone());
    Ok(tokio::spawn(async move {
        let working = work(&store, &handlers, &settings, stop.clone());
        let polling = worker::poll(&app, &settings.worker, Until::Stopped, stop.clone());
        let (tally, polled) = tokio::join!(working, polling);
        if let Err(error) = polled {
            tracing::error!(error = format!("{error:#}"), "feeds are no longer polled");
        }
        tracing::info!(?tally, "the workers stopped");
    }))
}
