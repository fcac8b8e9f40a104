//! Ids that cannot be taken for each other: the number of a feed is not that of an article.
//!
//! On the wire, in addresses and in the database they are the plain numbers and texts that they hold.

use std::borrow::Borrow;
use std::fmt;
use std::num::ParseIntError;
use std::ops::Deref;
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
    /// A collection of the library.
    CollectionId
}

macro_rules! texts {
    ($($(#[$doc:meta])+ $name:ident)+) => {$(
        $(#[$doc])+
        #[derive(
            Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<&$name> for $name {
            fn from(id: &$name) -> Self {
                id.clone()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<String> for $name {
            fn eq(&self, other: &String) -> bool {
                self.0 == *other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }
    )+};
}

texts! {
    /// A research run.
    RunId
    /// A document of the library.
    DocumentId
    /// A user of the server: the name that someone logs in with.
    UserName
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

    #[test]
    fn an_id_that_is_a_text_is_written_and_read_as_that_text() {
        let run = RunId::from("r7");
        assert_eq!(serde_json::to_string(&run).unwrap(), "\"r7\"");
        assert_eq!(serde_json::from_str::<RunId>("\"r7\"").unwrap(), run);
        assert_eq!(run.to_string(), "r7");
        assert_eq!(run, "r7");
    }
}
