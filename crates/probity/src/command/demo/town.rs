//! What the demo is filled with: the documents of `examples/library`, and news and judgements of the same town.
//!
//! Everything here is invented, and every address is under a name that is reserved for examples, so that no request leaves the machine.

/// A document of the town by its name, and its text.
macro_rules! documents {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../../examples/library/", $name)))),*]
    };
}

/// The town's documents.
pub(super) const DOCUMENTS: &[(&str, &str)] = documents![
    "README.md",
    "guitars/flamenco-festival-programme.md",
    "guitars/harbour-hall-hire.md",
    "guitars/luthier-flamenco-or-classical.md",
    "guitars/music-school-fees.md",
    "guitars/strings-and-frets-price-list.html",
    "guitars/two-schools-one-instrument.md",
    "hotels/direct-booking-study.md",
    "hotels/guest-reviews-tidewater.md",
    "hotels/innkeeper-newsletter-direct.md",
    "hotels/interview-revenue-manager.md",
    "hotels/job-reservations-agent.html",
    "hotels/marble-and-scent-branding.md",
    "hotels/seven-tips-for-travellers.md",
    "music/summer-stage-press-release.md",
    "music/tarn-audio-company-news.md",
    "rumba/blog-same-name-different-roads.md",
    "rumba/encyclopedia-rumba.md",
    "rumba/heritage-cuban-rumba.md",
    "rumba/interview-two-shores.md",
    "rumba/lecture-notes-two-rumbas.md",
    "rumba/paper-ida-y-vuelta.md",
    "rumba/rumba-dance-class.md",
    "rumba/skin-and-wood-drum-shop.html",
    "town/bicycle-bridge-opinion.md",
    "town/council-minutes-2025-02.md",
    "town/event-permit.md",
    "town/ferry-faq.md",
    "town/friends-of-the-light.txt",
    "town/harbour-district-rules.html",
    "town/lighthouse-reopens.md",
    "town/municipal-code-9-noise.md",
    "town/oyster-season-report.md",
    "town/parking-ordinance-amendment.md",
    "town/port-ellery-encyclopedia.md",
    "town/ten-tables-outdoors.md",
    "town/underwater-noise-porpoises.md",
    "town/whale-museum-blog.md",
    "weddings/courier-feature-first-dance.md",
    "weddings/dj-marlow-first-dance-top-ten.md",
    "weddings/first-dance-survey-2025.md",
    "weddings/forum-first-dance-thread.txt",
    "weddings/interview-dance-teacher.md",
    "weddings/quayside-weddings-magazine.html",
    "weddings/radio-ellery-poll.md",
    "weddings/tidewater-band-blog.md",
];

/// Questions that show what the engine does: a full report, a short one, a refusal, and a longer run. The last
/// one is asked in deep mode.
pub(super) const QUESTIONS: &[(&str, bool)] = &[
    ("What are the most popular first dance songs at Port Ellery weddings?", false),
    ("What does Port Ellery's noise ordinance say about amplified outdoor music at night?", false),
    (
        "How much do flamenco guitarists charge compared with classical guitarists for private events in Port Ellery?",
        false,
    ),
    (
        "Which booking strategies do Port Ellery's luxury hotels use to win direct reservations?",
        false,
    ),
    ("How does the history of rumba flamenca differ from that of Cuban rumba?", true),
];

/// What an editor found: an outlet, a code of the codebook, and why.
pub(super) const CODINGS: &[(&str, &str, &str)] = &[
    ("ellery-courier.example", "high-quality-source", "named its sources on the ferry"),
    ("ellery-courier.example", "high-quality-source", "corrected a wrong date the same day"),
    ("ellery-courier.example", "source-unreliable", "printed a rumour about the lighthouse"),
    ("radio-ellery.example", "high-quality-source", "published the poll with its numbers"),
    ("radio-ellery.example", "high-quality-source", "said how many had answered"),
    ("harbour-buzz.example", "source-unreliable", "no author, no date"),
    ("harbour-buzz.example", "source-unreliable", "copied a press release as news"),
    ("reuters.com", "high-quality-source", "three named witnesses"),
];

/// What the newsroom sorts articles by.
pub(super) const CATEGORIES: &[(&str, &str)] = &[
    ("Harbour", "Ferries, fishing, ships, the quay and the sea"),
    ("Culture", "Concerts, festivals, museums, weddings and music"),
    ("Council", "Decisions, rules, permits and money of the town"),
];

/// A feed and what it holds.
pub(super) struct Feed {
    /// Where it would be.
    pub(super) url: &'static str,
    /// What it is called.
    pub(super) title: &'static str,
    /// Hours since each item was published, its address, its title and its summary.
    pub(super) items: &'static [(u32, &'static str, &'static str, &'static str)],
}

/// The feeds. The same stories come from several of them, as stories do.
pub(super) const FEEDS: &[Feed] = &[
    Feed {
        url: "https://ellery-courier.example/feed.json",
        title: "The Port Ellery Courier",
        items: &[
            (
                30,
                "https://ellery-courier.example/ferry-grounded",
                "Evening ferry runs aground off Gull Point, all 41 aboard safe",
                "The ferry Saint Brannoc ran aground off Gull Point on its evening crossing. All 41 people aboard were taken off.",
            ),
            (
                8,
                "https://ellery-courier.example/ferry-returns",
                "Grounded ferry Saint Brannoc back in service after inspection",
                "The Saint Brannoc, which ran aground off Gull Point, sails again from Friday after divers found no damage to the hull.",
            ),
            (
                20,
                "https://ellery-courier.example/quay-concert",
                "Council moves the quay concert to end at ten",
                "The council voted six to three that the summer concert on the quay ends at ten in the evening.",
            ),
        ],
    },
    Feed {
        url: "https://radio-ellery.example/news.json",
        title: "Radio Ellery",
        items: &[
            (
                29,
                "https://radio-ellery.example/saint-brannoc",
                "Ferry Saint Brannoc aground off Gull Point, passengers safe",
                "Passengers of the ferry Saint Brannoc were brought ashore after it ran aground off Gull Point.",
            ),
            (
                18,
                "https://radio-ellery.example/concert-vote",
                "Quay concert must end at ten, council decides",
                "By six votes to three the council decided that the concert on the quay has to end at ten in the evening.",
            ),
            (
                5,
                "https://radio-ellery.example/oysters",
                "Oyster season opens with record landings",
                "On the first day of the season the boats landed more oysters than in any year since 1998.",
            ),
        ],
    },
    Feed {
        url: "https://harbour-buzz.example/feed.json",
        title: "Harbour Buzz",
        items: &[
            (
                27,
                "https://harbour-buzz.example/shock-ferry",
                "SHOCK: ferry disaster off Gull Point, you will not believe it",
                "The ferry Saint Brannoc ran aground off Gull Point.",
            ),
            (
                6,
                "https://harbour-buzz.example/oyster-secret",
                "Oyster season opens: the one secret of the record landings",
                "Record oyster landings on the first day of the season.",
            ),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_of_the_example_library_is_in_the_demo() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/library");
        let mut names = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                match entry.path() {
                    path if path.is_dir() => folders.push(path),
                    path => names.push(path.strip_prefix(&root).unwrap().display().to_string()),
                }
            }
        }
        names.sort();
        let mut here: Vec<&str> = DOCUMENTS.iter().map(|(name, _)| *name).collect();
        here.sort_unstable();
        assert_eq!(here, names);
    }

    #[test]
    fn every_address_of_the_news_is_reserved_for_examples() {
        for feed in FEEDS {
            for address in feed.items.iter().map(|item| item.1).chain([feed.url]) {
                let host = address.trim_start_matches("https://").split('/').next().unwrap();
                assert!(host.ends_with(".example"), "{address}");
            }
        }
    }
}
