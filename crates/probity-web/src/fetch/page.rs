//! What fetching came to: a page that was read, or an honest word why not.

use std::fmt;
use std::time::Duration;

use jiff::civil::Date;
use probity_core::{Document, WebUrl};
use serde::{Deserialize, Serialize};

/// How the attempt to read a page ended. Only [`FetchOutcome::Read`] counts as a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FetchOutcome {
    /// The page was read.
    Read,
    /// Its credibility was too low; it was never asked for. Set by those who score.
    BlockedByScore,
    /// It lies, or a redirect leads, where fetching must not go: a private address, another scheme.
    BlockedByAddress,
    /// The site's robots.txt closes it to us.
    Robots,
    /// It does not exist (also where the page says so with status 200).
    NotFound,
    /// It is gone permanently.
    Gone,
    /// Only a stub can be seen without paying or logging in.
    PaywallStub,
    /// A challenge, captcha or block page came instead (also with status 200).
    BotWall,
    /// A page that asks for consent came instead.
    ConsentWall,
    /// A shell came that only scripts would fill, and nothing else of the page has its text.
    Shell,
    /// There is no main text.
    Empty,
    /// It is larger than the limit.
    TooLarge,
    /// The time ran out.
    Timeout,
    /// It is nothing with text: an image, an archive, a program.
    WrongType,
    /// Anything else: no such host, a broken connection, a server error.
    Failed,
}

impl FetchOutcome {
    /// Whether the page was read.
    pub fn is_read(self) -> bool {
        self == Self::Read
    }

    /// The outcome as it is written in JSON and on the terminal.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::BlockedByScore => "blocked-by-score",
            Self::BlockedByAddress => "blocked-by-address",
            Self::Robots => "robots",
            Self::NotFound => "not-found",
            Self::Gone => "gone",
            Self::PaywallStub => "paywall-stub",
            Self::BotWall => "bot-wall",
            Self::ConsentWall => "consent-wall",
            Self::Shell => "shell",
            Self::Empty => "empty",
            Self::TooLarge => "too-large",
            Self::Timeout => "timeout",
            Self::WrongType => "wrong-type",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for FetchOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One page as it was found. Everything it says is untrusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The address that was permitted.
    pub url: WebUrl,
    /// The address at which it ended, after redirects; the refused one if a redirect was refused.
    pub final_url: WebUrl,
    /// The last status, where there was an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// How it ended.
    pub outcome: FetchOutcome,
    /// Why, in a sentence for a person.
    pub reason: String,
    /// The `Content-Type` header, as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The size of the body, decompressed.
    #[serde(default)]
    pub bytes: u64,
    /// The addresses that redirected, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<WebUrl>,
    /// Whether the body came from the disk cache.
    #[serde(default)]
    pub cached: bool,
    /// The day of the capture that was read in the page's place, where an archive had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<Date>,
    /// The text, only where the page was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<Document>,
}

impl Page {
    /// A page that was never asked for, with the outcome and the reason.
    pub fn unasked(url: WebUrl, outcome: FetchOutcome, reason: impl Into<String>) -> Self {
        Self {
            final_url: url.clone(),
            url,
            status: None,
            outcome,
            reason: reason.into(),
            content_type: None,
            bytes: 0,
            redirects: Vec::new(),
            cached: false,
            archived: None,
            document: None,
        }
    }
}

/// What a server gave to recognise the version it sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// The `ETag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// The `Last-Modified` date, as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Validators {
    /// Whether there is nothing to recognise a version by.
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// How the attempt to get the bytes of a feed ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RawOutcome {
    /// The body came.
    Body,
    /// Nothing changed since the version the validators name.
    NotModified,
    /// Nothing came, for the reason a page would give.
    Missing(FetchOutcome),
}

/// The bytes of a feed or another document that its reader parses itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawResponse {
    /// The address that was permitted.
    pub url: WebUrl,
    /// The address at which it ended, after redirects.
    pub final_url: WebUrl,
    /// Where it has moved permanently, when every redirect on the way was a permanent one.
    pub moved_to: Option<WebUrl>,
    /// The last status, where there was an answer.
    pub status: Option<u16>,
    /// How it ended.
    pub outcome: RawOutcome,
    /// Why, in a sentence for a person.
    pub reason: String,
    /// What to send next time so that an unchanged document is not sent again.
    pub validators: Validators,
    /// The `Content-Type` header, as sent.
    pub content_type: Option<String>,
    /// How long the server asked us to stay away.
    pub retry_after: Option<Duration>,
    /// How long the server says that its answer holds (`Cache-Control: max-age`).
    pub max_age: Option<Duration>,
    /// The body, decompressed; empty unless the outcome is [`RawOutcome::Body`].
    pub body: Vec<u8>,
}

impl RawResponse {
    /// A document that is at hand, as if its address had sent it.
    pub fn at_hand(url: &WebUrl, body: Vec<u8>) -> Self {
        Self {
            url: url.clone(),
            final_url: url.clone(),
            moved_to: None,
            status: None,
            outcome: RawOutcome::Body,
            reason: String::new(),
            validators: Validators::default(),
            content_type: None,
            retry_after: None,
            max_age: None,
            body,
        }
    }
}
