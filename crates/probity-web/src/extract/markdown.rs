//! Markdown with front matter → text with metadata.

/// What the lines between `---` at the head of a Markdown file say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// Where the document was published.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// When it was published, as written.
    pub published: Option<String>,
    /// The publisher's domain or name.
    pub outlet: Option<String>,
}

/// Splits front matter from the body. Without any, the front matter is empty and the body is all.
pub fn front_matter(text: &str) -> (FrontMatter, &str) {
    (FrontMatter::default(), text)
}
