//! What a site says about itself in files of its own: `trust.txt` and `ads.txt`.
//!
//! ```text
//! permit of a page → the same host's files, by guard, robots.txt and turn → lines → what they tell
//! ```
//!
//! What the files say is not verified, so they are only a hint. A site that has none answers
//! with a page as often as not; such a page tells nothing.

use probity_core::SiteFiles;
use probity_credibility::{Permit, SiteFile};
use tokio::time::{Instant, timeout_at};

use super::Fetcher;
use super::follow::{Journey, Trail};
use super::limits::{SITE_FILE_BYTES, SITE_FILE_LINES, SITE_FILES_TIME};

impl Fetcher {
    /// Asks the host of a permitted page for the files in which it describes itself: by the same
    /// rules as the page, and never on another site. What cannot be had tells nothing.
    pub async fn site_files(&self, permit: &Permit) -> SiteFiles {
        let mut files = SiteFiles::default();
        if !self.inner.settings.site_files {
            return files;
        }
        let deadline = Instant::now() + SITE_FILES_TIME.min(self.inner.settings.time);
        for file in [SiteFile::Trust, SiteFile::TrustWellKnown] {
            if let Some(text) = self.site_file(permit, file, deadline).await {
                read_trust(&text, &mut files);
                break;
            }
        }
        if let Some(text) = self.site_file(permit, SiteFile::Ads, deadline).await {
            read_ads(&text, &mut files);
        }
        files
    }

    /// The text of one file, if there is one.
    async fn site_file(
        &self,
        permit: &Permit,
        file: SiteFile,
        deadline: Instant,
    ) -> Option<String> {
        let permit = permit.for_site_file(file)?;
        let mut trail = Trail::from(permit.url());
        let journey =
            Journey { own_site: true, most: Some(SITE_FILE_BYTES), ..Journey::of_page(deadline) };
        let answer = timeout_at(deadline, self.inner.follow(&mut trail, &journey)).await.ok()?;
        let answer = answer.ok().filter(|answer| answer.status == 200)?;
        let text = String::from_utf8_lossy(&answer.body.bytes).into_owned();
        let is_page = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        (!is_page).then_some(text)
    }
}

/// The lines that say something: without comments, and no more than are read.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().take(SITE_FILE_LINES);
    lines.map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|l| !l.is_empty())
}

/// Reads `trust.txt`: lines of `attribute=address`.
fn read_trust(text: &str, files: &mut SiteFiles) {
    for (name, value) in lines(text).filter_map(|line| line.split_once('=')) {
        if !names_a_site(value.trim()) {
            continue;
        }
        match name.trim().to_ascii_lowercase().as_str() {
            "belongto" => files.association = true,
            "controlledby" => files.owner = true,
            _ => {}
        }
    }
}

/// Reads `ads.txt`: variables as `NAME=value`, and records of `system, account, DIRECT or RESELLER`.
fn read_ads(text: &str, files: &mut SiteFiles) {
    for line in lines(text) {
        // Records may carry extensions behind a semicolon.
        let line = line.split(';').next().unwrap_or_default();
        let mut fields = line.split(',').map(str::trim);
        let (system, _account, relation) = (fields.next(), fields.next(), fields.next());
        match relation {
            Some(relation) if !system.is_some_and(names_a_site) || relation.is_empty() => {}
            Some(relation) if relation.eq_ignore_ascii_case("DIRECT") => files.direct += 1,
            Some(relation) if relation.eq_ignore_ascii_case("RESELLER") => files.resellers += 1,
            Some(_) => {}
            None => {
                let (name, value) = line.split_once('=').unwrap_or_default();
                files.owner |=
                    name.trim().eq_ignore_ascii_case("OWNERDOMAIN") && names_a_site(value.trim());
            }
        }
    }
}

/// Whether a value is a domain or an address, and not a word or a mistake.
fn names_a_site(value: &str) -> bool {
    let host = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"));
    let host = host.unwrap_or(value).split('/').next().unwrap_or_default();
    let is_label = |label: &str| !label.is_empty() && !label.contains(char::is_whitespace);
    host.contains('.') && host.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_txt_tells_of_associations_and_owners() {
        let mut files = SiteFiles::default();
        read_trust(
            "\u{feff}# trust.txt of the Gazette\n\nBelongTo = https://press.example/ # since 1999\r\n\
             controlledby=https://www.holding.example/\nsocial=https://x.example/gazette\n",
            &mut files,
        );
        assert_eq!(files, SiteFiles { association: true, owner: true, ..SiteFiles::default() });
        for nothing in [
            "belongto=\n",
            "belongto=yes",
            "# belongto=https://a.example/",
            "belongto",
            "Not found.",
        ] {
            let mut files = SiteFiles::default();
            read_trust(nothing, &mut files);
            assert!(files.is_empty(), "{nothing}");
        }
    }

    #[test]
    fn ads_txt_tells_of_the_owner_and_of_those_who_sell() {
        let mut files = SiteFiles::default();
        read_ads(
            "OWNERDOMAIN=holding.example\nmanagerdomain=sales.example\n\
             ads.example, 12345, DIRECT, f08c47fec0942fa0\nsell.example,9,reseller # comment\n\
             more.example, 4, RESELLER; extension\nbroken.example, 7\n, 1, DIRECT\nword, 1, DIRECT\n",
            &mut files,
        );
        let expected = SiteFiles { association: false, owner: true, direct: 1, resellers: 2 };
        assert_eq!(files, expected);
    }

    #[test]
    fn no_more_lines_are_read_than_the_limit_says() {
        let mut files = SiteFiles::default();
        read_ads(&"ads.example, 1, DIRECT\n".repeat(SITE_FILE_LINES + 5), &mut files);
        assert_eq!(files.direct as usize, SITE_FILE_LINES);
    }
}
