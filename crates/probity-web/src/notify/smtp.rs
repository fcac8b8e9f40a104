//! One e-mail over SMTP: greeting, TLS, log-in, envelope, text.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::channel::Security;
use super::{MailServer, Message, SendError, mail};
use crate::fetch::guard::{Door, Guard};
use crate::fetch::resolve::{Bounds, Guarded};
use crate::fetch::settings::FetchSettings;

/// The longest line of a server's reply.
const LINE_BYTES: u64 = 4_096;
/// The most lines of one reply.
const LINES: usize = 64;

/// Sends an e-mail.
pub(super) async fn send(
    settings: &FetchSettings,
    server: &MailServer,
    message: &Message,
) -> Result<(), SendError> {
    if let Some(wrong) = server.to.iter().chain([&server.from]).find(|one| !mail::is_address(one)) {
        return Err(SendError::lasting(&format!("`{wrong}` is no e-mail address")));
    }
    if server.to.is_empty() {
        return Err(SendError::lasting("there is no recipient"));
    }
    let stream = connect(settings, server).await?;
    match server.security {
        Security::None => {
            let mut talk = Talk::new(stream);
            talk.hear(220).await?;
            talk.greet().await?;
            talk.deliver(server, message, false).await
        }
        Security::Starttls => {
            let mut talk = Talk::new(stream);
            talk.hear(220).await?;
            talk.greet().await?;
            talk.say("STARTTLS", 220).await?;
            // What a server says before TLS counts for nothing after it.
            let stream = talk.stream.into_inner();
            let mut talk = Talk::new(secure(server, stream).await?);
            talk.greet().await?;
            talk.deliver(server, message, true).await
        }
        Security::Tls => {
            let mut talk = Talk::new(secure(server, stream).await?);
            talk.hear(220).await?;
            talk.greet().await?;
            talk.deliver(server, message, true).await
        }
    }
}

/// A connection to the server, if its address is within bounds.
async fn connect(settings: &FetchSettings, server: &MailServer) -> Result<TcpStream, SendError> {
    let guard = Guard::new(&settings.allow_hosts);
    let bounds = match guard.door(&server.host, server.port) {
        Door::Allowed => Bounds::Allowed(guard.allowed_names()),
        Door::Public => Bounds::Public,
    };
    let resolver = Guarded::new(Arc::clone(&settings.resolver), bounds);
    let addresses = resolver.addresses(&server.host).await.map_err(|e| SendError::lasting(&e))?;
    let mut last = String::from("it has no address");
    for mut address in addresses {
        if address.port() == 0 {
            address.set_port(server.port);
        }
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error.to_string(),
        }
    }
    Err(SendError::passing(&format!("{} cannot be reached: {last}", server.host)))
}

async fn secure(
    server: &MailServer,
    stream: TcpStream,
) -> Result<tokio_rustls::client::TlsStream<TcpStream>, SendError> {
    let no_tls = |why: &str| SendError::passing(&format!("no TLS with {}: {why}", server.host));
    let config = ClientConfig::builder().with_platform_verifier();
    let config = config.map_err(|error| no_tls(&error.to_string()))?.with_no_client_auth();
    let name = ServerName::try_from(server.host.clone());
    let name = name.map_err(|error| SendError::lasting(&error.to_string()))?;
    let connector = TlsConnector::from(Arc::new(config));
    connector.connect(name, stream).await.map_err(|error| no_tls(&error.to_string()))
}

/// A conversation with a mail server.
struct Talk<S> {
    stream: BufReader<S>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Talk<S> {
    fn new(stream: S) -> Self {
        Self { stream: BufReader::new(stream) }
    }

    async fn greet(&mut self) -> Result<(), SendError> {
        self.say("EHLO probity.localdomain", 250).await
    }

    async fn deliver(
        &mut self,
        server: &MailServer,
        message: &Message,
        protected: bool,
    ) -> Result<(), SendError> {
        if let (Some(user), Some(password), true) = (&server.user, &server.password, protected) {
            let pair = BASE64.encode(format!("\0{user}\0{}", password.expose()));
            self.say(&format!("AUTH PLAIN {pair}"), 235).await?;
        }
        self.say(&format!("MAIL FROM:<{}>", server.from), 250).await?;
        for to in &server.to {
            self.say(&format!("RCPT TO:<{to}>"), 250).await?;
        }
        self.say("DATA", 354).await?;
        let id = format!("{:016x}", fastrand::u64(..));
        let text = mail::compose(server, message, &id);
        // A line that begins with a dot would end the text; none of ours does, and if one did it is doubled.
        let text = text.replace("\r\n.", "\r\n..");
        self.say(&format!("{text}."), 250).await?;
        // It was taken over; how the server says goodbye no longer matters.
        let _ = self.say("QUIT", 221).await;
        Ok(())
    }

    /// Says something and expects an answer of this code.
    async fn say(&mut self, line: &str, expected: u16) -> Result<(), SendError> {
        let broken = |error: std::io::Error| SendError::passing(&error.to_string());
        let stream = self.stream.get_mut();
        stream.write_all(line.as_bytes()).await.map_err(broken)?;
        stream.write_all(b"\r\n").await.map_err(broken)?;
        stream.flush().await.map_err(broken)?;
        self.hear(expected).await
    }

    /// Reads a reply, which may have several lines.
    async fn hear(&mut self, expected: u16) -> Result<(), SendError> {
        for _ in 0..LINES {
            let mut line = String::new();
            let mut limited = (&mut self.stream).take(LINE_BYTES);
            let read = limited.read_line(&mut line).await;
            let read = read.map_err(|error| SendError::passing(&error.to_string()))?;
            if read == 0 {
                return Err(SendError::passing("the mail server hung up"));
            }
            let code: Option<u16> = line.get(..3).and_then(|code| code.parse().ok());
            let Some(code) = code else {
                return Err(SendError::lasting("this is no mail server"));
            };
            if line.get(3..4) == Some("-") {
                continue;
            }
            return match code {
                code if code == expected => Ok(()),
                // As 250 and 251 are both a yes.
                code if expected / 100 == 2 && code / 100 == 2 => Ok(()),
                400..=499 => Err(SendError::passing(&refusal(&line))),
                _ => Err(SendError::lasting(&refusal(&line))),
            };
        }
        Err(SendError::lasting("the mail server does not stop talking"))
    }
}

fn refusal(line: &str) -> String {
    format!("the mail server says: {}", line.trim())
}
