//! The provider that people log in at, as the settings name it.

use std::sync::Arc;

use probity_core::{Clock, SignOnAnswer, SignOnSecrets};
use probity_server::{Identity, Later, SignOn, SignOnFailure};
use probity_web::oidc::{Provider, SignOnError};

use crate::app::App;
use crate::config::oidc::OidcSettings;

/// A provider, and what its claims mean here.
pub(crate) struct Oidc {
    provider: Provider,
    settings: OidcSettings,
    clock: Clock,
}

impl Oidc {
    /// The provider that the settings name, if they name one.
    pub(crate) fn open(app: &App) -> anyhow::Result<Option<Arc<Self>>> {
        let settings = app.settings.oidc.clone();
        let Some(named) = settings.provider() else { return Ok(None) };
        let provider = Provider::new(named, &app.fetch_settings(&[])?)?;
        Ok(Some(Arc::new(Self { provider, settings, clock: app.clock })))
    }

    /// What the provider answers now.
    ///
    /// # Errors
    /// Says why a log-in there failed.
    pub(crate) async fn probe(&self) -> Result<String, String> {
        let keys = self.provider.probe().await.map_err(|error| error.to_string())?;
        let issuer = self.settings.issuer.as_ref().map(ToString::to_string).unwrap_or_default();
        let keys = if keys == 1 { "1 key".to_owned() } else { format!("{keys} keys") };
        Ok(format!("{issuer} answers and signs with {keys}"))
    }
}

fn failure(error: SignOnError) -> SignOnFailure {
    let said = error.to_string();
    match error {
        SignOnError::Unreachable(_) | SignOnError::Discovery(_) => SignOnFailure::Provider(said),
        _ => SignOnFailure::Refused(said),
    }
}

impl SignOn for Oidc {
    fn label(&self) -> &str {
        self.settings.label.trim()
    }

    fn begin<'a>(&'a self, secrets: SignOnSecrets<'a>) -> Later<'a, Result<String, SignOnFailure>> {
        Box::pin(async move { self.provider.begin(secrets).await.map_err(failure) })
    }

    fn finish<'a>(
        &'a self,
        answer: SignOnAnswer<'a>,
        secrets: SignOnSecrets<'a>,
    ) -> Later<'a, Result<Identity, SignOnFailure>> {
        Box::pin(async move {
            let finished = self.provider.finish(answer, secrets, self.clock.now()).await;
            let (issuer, claims) = finished.map_err(failure)?;
            let role = self.settings.grant(&claims).map_err(SignOnFailure::Refused)?;
            let name = claims.text("preferred_username").or_else(|| claims.text("name"));
            Ok(Identity {
                issuer,
                subject: claims.subject().to_owned(),
                email: claims.verified_email().map(str::to_lowercase),
                name: name.map(str::to_owned),
                role,
            })
        })
    }

    fn leave<'a>(&'a self, back: &'a str) -> Later<'a, Option<String>> {
        Box::pin(self.provider.leave(back))
    }
}
