//! Addresses for documents that came as files and name no address of their own.
//!
//! Everything that is cited has a [`WebUrl`]. A file gets `https://local.invalid/FOLDER/PATH`: the
//! top-level domain `.invalid` is reserved and never resolves, so such an address identifies the
//! document, cannot be fetched, and does not reveal where on a disk it is.

use super::{UrlError, WebUrl};

/// The host of addresses that stand for local files.
pub const LOCAL_HOST: &str = "local.invalid";

impl WebUrl {
    /// The address of a local file, made of the names on the way to it.
    ///
    /// ```
    /// use probity_core::WebUrl;
    ///
    /// let url = WebUrl::local(["library", "price list.txt"])?;
    /// assert_eq!(url.as_str(), "https://local.invalid/library/price%20list.txt");
    /// assert!(url.is_local());
    /// # Ok::<(), probity_core::UrlError>(())
    /// ```
    ///
    /// # Errors
    /// When the path is too long for a URL.
    pub fn local<'p>(path: impl IntoIterator<Item = &'p str>) -> Result<Self, UrlError> {
        let mut url = WebUrl::parse(&format!("https://{LOCAL_HOST}/"))?;
        if let Ok(mut segments) = url.0.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        WebUrl::parse(url.as_str())
    }

    /// Whether the address is that of a local file. It says nothing about who provided the file.
    pub fn is_local(&self) -> bool {
        self.dns_host() == LOCAL_HOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_cannot_escape_into_other_parts_of_the_address() {
        let url = WebUrl::local(["a b", "c?d#e/f", "g%2Fh.md"]).unwrap();
        assert_eq!(url.as_str(), "https://local.invalid/a%20b/c%3Fd%23e%2Ff/g%252Fh.md");
        assert_eq!(WebUrl::local([]).unwrap().as_str(), "https://local.invalid/");
    }

    #[test]
    fn only_the_reserved_host_is_local() {
        for (text, local) in [
            ("https://local.invalid/x", true),
            ("https://LOCAL.invalid./x", true),
            ("https://notlocal.invalid/x", false),
            ("https://local.invalid.example.com/x", false),
        ] {
            assert_eq!(WebUrl::parse(text).unwrap().is_local(), local, "{text}");
        }
    }

    #[test]
    fn a_path_too_long_for_a_url_is_refused() {
        let long = "x".repeat(crate::limits::URL_BYTES);
        assert!(matches!(WebUrl::local([long.as_str()]), Err(UrlError::TooLong(_))));
    }
}
