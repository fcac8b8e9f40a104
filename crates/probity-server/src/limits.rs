//! Every bound of the server, in one place.

use std::time::Duration;

/// The largest body of a request.
pub(crate) const BODY_BYTES: usize = 256 * 1024;
/// The largest body of a form that holds a whole list: half of what the API takes, because a form writes some
/// characters as three.
pub(crate) const FORM_LIST_BYTES: usize = 8 * 1024 * 1024;
/// How long looking for a feed at an address may take: less than a request may.
pub(crate) const LOOK_TIME: Duration = Duration::from_secs(20);
/// The largest body of a request that brings documents along.
pub(crate) const UPLOAD_BYTES: u64 = 100 * 1024 * 1024;
/// The largest file among them: as much as is read of any document.
pub(crate) const UPLOAD_FILE_BYTES: usize = probity_core::limits::BODY_BYTES as usize;
/// The most fields beside the files.
pub(crate) const UPLOAD_FIELDS: usize = 64;
/// The longest field beside the files: a text that was pasted.
pub(crate) const PASTE_BYTES: usize = 1024 * 1024;
/// Requests that bring documents along at once.
pub(crate) const UPLOADS: usize = 8;
/// How long such a request may take.
pub(crate) const UPLOAD_TIME: Duration = Duration::from_secs(600);
/// The largest head of a request: its line and all its headers.
pub(crate) const HEAD_BYTES: usize = 32 * 1024;
/// The most headers of a request.
pub(crate) const HEADERS: usize = 64;
/// How long a client may take to send a request's head.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long a client may take to send a request's body.
pub(crate) const BODY_TIME: Duration = Duration::from_secs(15);
/// How long a client may leave what was written to it unread.
pub(crate) const STALL_TIME: Duration = Duration::from_secs(30);
/// How long a request may take until its answer begins.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(30);
/// How long requests in progress may continue after the server was stopped.
pub(crate) const GRACE: Duration = Duration::from_secs(8);
/// Connections at once; more wait in the system's queue.
pub(crate) const CONNECTIONS: usize = 2_048;
/// The most clients whose rate is kept at once.
pub(crate) const CLIENTS: usize = 10_000;
/// The largest answer that is given a tag.
pub(crate) const TAGGED_BYTES: usize = 8 * 1024 * 1024;
/// The most rows of one page of a list.
pub(crate) const PAGE_ROWS: i64 = 200;
/// How many rows a page of a list has by default.
pub(crate) const USUAL_ROWS: i64 = 50;
/// How often a stream without news says that it is alive.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long a log-in may take at a provider.
pub(crate) const SIGN_ON_LIFE: Duration = Duration::from_secs(600);
/// The longest code or state that a provider sends back, in bytes.
pub(crate) const SIGN_ON_BYTES: usize = 4_096;
/// How long a session may go unused.
pub(crate) const SESSION_IDLE: Duration = Duration::from_secs(12 * 3600);
/// How long a session may last.
pub(crate) const SESSION_LIFE: Duration = Duration::from_secs(7 * 24 * 3600);
/// Log-ins that may fail from one address, and for one name, before it has to wait.
pub(crate) const LOGIN_TRIES: u32 = 5;
/// How long one failed log-in counts.
pub(crate) const LOGIN_PAUSE: Duration = Duration::from_secs(30);
/// Passwords that are checked at once. Each takes 19 MiB while it lasts.
pub(crate) const PASSWORDS: usize = 2;
/// Passwords that may wait for that, those at work included; more are sent away.
pub(crate) const PASSWORDS_WAITING: usize = 16;
/// How many seconds a refused caller should wait.
pub(crate) const PASSWORDS_AGAIN: u64 = 5;
/// How many texts are checked at once.
pub(crate) const CHECKS: usize = 8;
/// How long the check of one text may take.
pub(crate) const CHECK_TIME: Duration = Duration::from_secs(600);
/// Tool calls of one MCP client that may be in progress at once.
pub(crate) const MCP_CALLS: usize = 8;
/// Tool calls of all MCP clients that may be in progress at once.
pub(crate) const MCP_CALLS_ALL: usize = 512;
/// MCP sessions over HTTP that are kept at once.
pub(crate) const MCP_SESSIONS: usize = 512;
/// How long an MCP session may go without a word: longer than any call of a tool takes.
pub(crate) const MCP_IDLE: Duration = Duration::from_secs(3600);
/// The largest message of an MCP client over stdio: as large as a request's body.
pub(crate) const MCP_LINE_BYTES: usize = BODY_BYTES;
/// How long a client may take to accept a word of progress before it is left out.
pub(crate) const MCP_PROGRESS_TIME: Duration = Duration::from_secs(2);
/// How long to wait for a run that was cancelled to have ended.
pub(crate) const MCP_CANCEL_TIME: Duration = Duration::from_secs(5);
/// The most rows that a tool gives at once.
pub(crate) const MCP_ROWS: i64 = 50;
/// How many rows a tool gives by default.
pub(crate) const MCP_USUAL_ROWS: i64 = 20;
/// How many rankings of topics are made at once; each may read a whole window.
pub(crate) const TELLINGS: usize = 4;
/// How far back topics may be asked for, in milliseconds: 92 days.
pub(crate) const TOPICS_BACK_MILLIS: i64 = 92 * 24 * 3_600_000;
/// The longest key that a client may make a request repeatable with, in characters.
pub(crate) const ONCE_KEY_CHARS: usize = 200;
/// The largest answer that is kept for a repeated request.
pub(crate) const ONCE_BYTES: usize = 1024 * 1024;
