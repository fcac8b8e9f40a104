//! Every bound of fetching that is not in the configuration, in one place.

use std::time::Duration;

/// How many header lines a response may have.
pub const HEADER_LINES: usize = 128;
/// How many bytes of headers a response may have.
pub const HEADER_BYTES: usize = 64 * 1024;
/// How long connecting may take.
pub const CONNECT_TIME: Duration = Duration::from_secs(10);
/// How long an idle connection is kept.
pub const IDLE_TIME: Duration = Duration::from_secs(30);
/// How many idle connections are kept for one host.
pub const IDLE_CONNECTIONS: usize = 2;
/// How many compressions may lie inside one another. Two happen by mistake; more by malice.
pub const ENCODING_LAYERS: usize = 2;
/// Up to this size a body needs no leave; beyond it, it waits for one of a few large places.
pub const SMALL_BODY_BYTES: u64 = 512 * 1024;
/// How many bodies may be larger than [`SMALL_BODY_BYTES`] at the same time.
pub const LARGE_BODIES: usize = 4;
/// No server's wish is remembered for longer than this.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// How long one API request may take in all, unless set otherwise.
pub const API_TIME: Duration = Duration::from_secs(15);
/// The largest API reply, decoded, unless set otherwise.
pub const API_BODY_BYTES: u64 = 8 * 1024 * 1024;
/// How many redirects are followed, all on the configured host.
pub const API_REDIRECTS: usize = 3;
/// How many addresses of one name are looked at.
pub const RESOLVED_ADDRESSES: usize = 32;
/// How many pages are loaded at the same time, unless set otherwise.
pub const CONCURRENCY: usize = 64;
/// How many pages are loaded from one host at the same time, unless set otherwise.
pub const PER_HOST: usize = 2;
/// The least time between two requests to one host, unless set otherwise.
pub const DELAY: Duration = Duration::from_millis(250);
/// The longest pause that a robots.txt can make us take between two requests.
pub const CRAWL_DELAY_MAX: Duration = Duration::from_secs(10);
/// How many hosts' paces are remembered.
pub const HOSTS_REMEMBERED: usize = 4096;
/// How often a transient failure is tried again, unless set otherwise.
pub const RETRIES: usize = 2;
/// The wait before the first retry, unless set otherwise.
pub const BACKOFF: Duration = Duration::from_millis(500);
/// The most bytes the disk cache holds, unless set otherwise.
pub const CACHE_BYTES: u64 = 256 * 1024 * 1024;
/// How much of a robots.txt is read; what follows is ignored.
pub const ROBOTS_BYTES: u64 = 500 * 1024;
/// How long a robots.txt may take, within the time of its page.
pub const ROBOTS_TIME: Duration = Duration::from_secs(10);
/// How long a robots.txt is believed.
pub const ROBOTS_FRESH: Duration = Duration::from_secs(60 * 60);
/// How long a site stays closed whose robots.txt could not be had.
pub const ROBOTS_CLOSED: Duration = Duration::from_secs(5 * 60);
/// How long it is remembered that a site could not be reached.
pub const ROBOTS_UNREACHABLE: Duration = Duration::from_secs(30);
/// How many sites' robots.txt are remembered.
pub const ROBOTS_REMEMBERED: usize = 4096;
/// How many rules of a robots.txt are obeyed.
pub const ROBOTS_RULES: usize = 10_000;
/// The longest path in a rule; a longer one is cut, which only closes more.
pub const ROBOTS_RULE_BYTES: usize = 2048;
/// How much memory the rules of all remembered sites take before they are forgotten, in bytes.
pub const ROBOTS_MEMORY: usize = 16 * 1024 * 1024;
/// How many responses the disk cache holds.
pub const CACHE_ENTRIES: usize = 20_000;
/// One response may take this part of the disk cache: 8 for an eighth.
pub const CACHE_SHARE: u64 = 8;
/// The largest body that is cached.
pub const CACHE_BODY_BYTES: usize = 4 * 1024 * 1024;
/// How large the head of a cached response may be.
pub const CACHE_HEAD_BYTES: u64 = 256 * 1024;
/// How much of an error page is read, to tell a bot wall from an error.
pub const ERROR_PAGE_BYTES: u64 = 256 * 1024;
/// How much of a page is looked at for walls, titles and redirects.
pub const WALL_BYTES: usize = 512 * 1024;
/// Only pages smaller than this redirect by a `<meta>` element.
pub const REFRESH_PAGE_BYTES: usize = 8 * 1024;
/// A `<meta>` element that waits longer than this is no redirect.
pub const REFRESH_SECONDS: f64 = 5.0;
/// How much of a `trust.txt` or `ads.txt` is read; what follows is ignored.
pub const SITE_FILE_BYTES: u64 = 512 * 1024;
/// How many lines of such a file are read.
pub const SITE_FILE_LINES: usize = 20_000;
/// How long the files of one site may take together.
pub const SITE_FILES_TIME: Duration = Duration::from_secs(10);
/// How long a browser may take to show a page, within the page's own time.
pub const RENDER_TIME: Duration = Duration::from_secs(20);
/// A page is there once nothing was given to it for so long.
pub const RENDER_QUIET: Duration = Duration::from_millis(700);
/// How long a browser may take to hand over the page, once what belongs to it is there.
pub const RENDER_READING: Duration = Duration::from_secs(3);
/// How many requests of one page a browser is given answers to.
pub const RENDER_REQUESTS: usize = 150;
/// The largest answer that a browser is given; what is longer is cut.
pub const RENDER_BODY_BYTES: u64 = 5 * 1024 * 1024;
/// How much a browser is given for one page in all.
pub const RENDER_BYTES: u64 = 30 * 1024 * 1024;
/// How much of a page that a browser shows is read, in characters.
pub const RENDER_PAGE_CHARS: usize = 4 * 1024 * 1024;
/// The longest message of a browser; the longest holds a page, whose characters may be escaped.
pub const RENDER_MESSAGE_BYTES: u64 = 8 * RENDER_PAGE_CHARS as u64;
/// How much memory each process of a browser may take, in KB.
pub const RENDER_MEMORY_KB: u64 = 2 * 1024 * 1024;
/// How many browsers run at the same time.
pub const RENDERING: usize = 2;
