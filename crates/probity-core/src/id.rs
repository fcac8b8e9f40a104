//! Ids that cannot be taken for each other: the number of a feed is not that of an article.
//!
//! On the wire, in addresses and in the database they are the plain numbers that they hold.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! numbers {
    ($($(#[$doc:meta])+ $name:ident)+) => {$(
        $(#[$doc])+
        #[derive(
            Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )+};
}

numbers! {
    /// A feed that is polled.
    FeedId
    /// An article that a feed brought. The later it was seen, the higher.
    ArticleId
    /// A topic: a story as it is followed over time.
    TopicId
    /// A category of the newsroom.
    CategoryId
    /// A saved question.
    WatchId
    /// A briefing of the newsroom.
    BriefingId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_written_and_read_as_its_number() {
        let feed = FeedId(7);
        assert_eq!(serde_json::to_string(&feed).unwrap(), "7");
        assert_eq!(serde_json::from_str::<FeedId>("7").unwrap(), feed);
        assert_eq!(feed.to_string().parse(), Ok(feed));
        assert!("seven".parse::<FeedId>().is_err());
    }
}
