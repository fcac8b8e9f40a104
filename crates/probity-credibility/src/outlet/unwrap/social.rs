//! Networks that show a warning or count a click between their pages and the web.

use super::address::Address;
use super::{Shape, Step, by_query, shape};

const SHIMS: &[Shape] = &[
    shape("l.facebook.com", "", &["u"]),
    shape("lm.facebook.com", "", &["u"]),
    shape("facebook.com", "/l.php", &["u"]),
    shape("facebook.com", "/flx/warn", &["u"]),
    shape("l.instagram.com", "", &["u"]),
    shape("l.messenger.com", "", &["u"]),
    shape("l.threads.com", "", &["u"]),
    shape("l.threads.net", "", &["u"]),
    shape("l.wl.co", "", &["u"]),
    shape("out.reddit.com", "", &["url"]),
    shape("click.redditmail.com", "", &["url"]),
    shape("youtube.com", "/redirect", &["q"]),
    shape("linkedin.com", "/safety/go", &["url"]),
    shape("linkedin.com", "/redir/redirect", &["url"]),
    shape("linkedin.com", "/redir/general-malware-page", &["url"]),
    shape("flipboard.com", "/redirect", &["url"]),
    shape("vk.com", "/away.php", &["to"]),
    shape("vk.com", "/away", &["to"]),
    shape("slack-redir.net", "/link", &["url"]),
    shape("getpocket.com", "/redirect", &["url"]),
    shape("medium.com", "/r", &["url"]),
    shape("steamcommunity.com", "/linkfilter", &["url", "u"]),
    shape("t.umblr.com", "/redirect", &["z"]),
    shape("tiktok.com", "/link/v2", &["target"]),
    shape("pinterest.com", "/offsite", &["url"]),
    shape("link.zhihu.com", "", &["target"]),
    shape("weibo.cn", "/sinaurl", &["u", "toasturl"]),
    shape("t.me", "/iv", &["url"]),
    shape("exit.sc", "", &["url"]),
];

pub(super) fn step(address: &Address<'_>) -> Option<Step> {
    by_query(address, SHIMS, "a social network's link page")
}
