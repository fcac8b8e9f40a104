//! The labelled headlines of `data`.

use probity_core::Timestamp;
use probity_news::cluster::Article;

/// An article and the story it belongs to.
pub(crate) struct Labelled {
    pub(crate) story: String,
    pub(crate) article: Article,
}

/// The headlines that the method was chosen with, in the order of the file.
pub(crate) fn labelled() -> Vec<Labelled> {
    read(include_str!("../data/headlines.txt"))
}

/// Headlines of an agency.
pub(crate) fn wire() -> Vec<Labelled> {
    read(include_str!("../data/wire.txt"))
}

/// Headlines of regional papers and tabloids.
pub(crate) fn tabloid() -> Vec<Labelled> {
    read(include_str!("../data/tabloid.txt"))
}

fn read(text: &str) -> Vec<Labelled> {
    let mut story = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            story = name.to_owned();
        } else if let Some((hours, title)) = line.split_once(' ')
            && let Ok(hours) = hours.parse::<i64>()
        {
            let article = Article {
                id: format!("{:03}", found.len()),
                title: title.to_owned(),
                text: String::new(),
                published: Some(Timestamp(1_790_000_000_000 + hours * 3_600_000)),
            };
            found.push(Labelled { story: story.clone(), article });
        }
    }
    found
}
