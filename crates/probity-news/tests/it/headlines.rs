//! The labelled headlines of `data/headlines.txt`.

use probity_core::Timestamp;
use probity_news::cluster::Article;

/// An article and the story it belongs to.
pub(crate) struct Labelled {
    pub(crate) story: String,
    pub(crate) article: Article,
}

/// All headlines, in the order of the file.
pub(crate) fn labelled() -> Vec<Labelled> {
    let mut story = String::new();
    let mut found = Vec::new();
    for line in include_str!("../data/headlines.txt").lines() {
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
