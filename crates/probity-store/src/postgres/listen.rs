//! Hearing what other processes write, by PostgreSQL's notifications.
//!
//! The only use of LISTEN and NOTIFY. Where a server has neither, or a pooler is in between and no
//! direct address is given, no process listens and the tables are read by the tick instead.

use std::sync::Weak;
use std::time::Duration;

use sqlx::Postgres;
use sqlx::postgres::{PgConnectOptions, PgListener};

use crate::events::Hub;
use crate::pool::unswept;

/// The one channel. What is said on it is a run's id, or nothing where there is new work.
pub(crate) const CHANNEL: &str = "probity";
/// How long to wait before the next attempt to listen.
const AGAIN: Duration = Duration::from_secs(2);
/// How often to see whether anyone still wants to hear.
const CHECK: Duration = Duration::from_secs(20);

/// Listens for as long as the hub is there.
pub(crate) async fn listen(options: PgConnectOptions, hub: Weak<Hub>) {
    while hub.strong_count() > 0 {
        if let Err(error) = hear(&options, &hub).await {
            tracing::debug!(%error, "the server's notifications were not heard");
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn hear(options: &PgConnectOptions, hub: &Weak<Hub>) -> Result<(), sqlx::Error> {
    let pool = unswept::<Postgres>().max_connections(1).connect_with(options.clone()).await?;
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.listen(CHANNEL).await?;
    // Whatever was sent before was not received.
    let notify = |run: Option<&str>| {
        let Some(hub) = hub.upgrade() else { return };
        match run {
            Some("") => hub.call(),
            Some(run) => hub.notify(run),
            None => hub.notify_all(),
        }
    };
    notify(None);
    while hub.strong_count() > 0 {
        match tokio::time::timeout(CHECK, listener.try_recv()).await {
            Ok(Ok(Some(notification))) => notify(Some(notification.payload())),
            // The connection was lost and is there again; what was said in between was not heard.
            Ok(Ok(None)) => notify(None),
            Ok(Err(error)) => return Err(error),
            Err(_) => {}
        }
    }
    Ok(())
}
