//! How fast articles become stories: whole windows, and one article more.
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a benchmark's inputs are its own"
)]

use probity_core::Timestamp;
use probity_news::cluster::{Article, Background, Settings, Window, stories};

fn main() {
    divan::main();
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }

    /// Between 0 and 1.
    fn share(&mut self) -> f64 {
        self.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    /// A rank by Zipf's law: the first of `sides` is met about twice as often as the second.
    fn rank(&mut self, sides: usize) -> usize {
        let rank = (sides as f64).powf(self.share()) - 1.0;
        (rank as usize).min(sides - 1)
    }
}

/// A name by its number: the same number is the same name.
fn name(number: usize) -> String {
    const PARTS: [&str; 24] = [
        "ka", "lor", "ven", "mi", "tar", "bel", "os", "ri", "dun", "sa", "vel", "no", "quin", "ar",
        "to", "mar", "eth", "lin", "go", "pra", "shi", "wo", "ul", "zen",
    ];
    let count = PARTS.len();
    let parts = [number % count, number / count % count, number / count / count % count];
    let mut name: String = parts.iter().map(|part| PARTS[*part]).collect();
    name[..1].make_ascii_uppercase();
    name
}

/// How many different words there are.
const VOCABULARY: usize = 12_000;

/// Words of real-looking headlines, the most frequent first.
fn words() -> Vec<String> {
    let texts = [
        include_str!("../tests/data/headlines.txt"),
        include_str!("../tests/data/wire.txt"),
        include_str!("../tests/data/tabloid.txt"),
    ];
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for line in texts.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#')) {
        for word in line.split_whitespace().skip(1) {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            if word.chars().all(char::is_alphabetic) && !word.is_empty() {
                *counts.entry(word.to_lowercase()).or_default() += 1;
            }
        }
    }
    let mut words: Vec<(usize, String)> = counts.into_iter().map(|(w, n)| (n, w)).collect();
    words.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut words: Vec<String> = words.into_iter().map(|(_, word)| word).collect();
    // Three days of news have more words than the tests' headlines: the rare ones are invented.
    let rare =
        (0..VOCABULARY.saturating_sub(words.len())).map(|at| name(at * 7 + 3).to_lowercase());
    words.extend(rare);
    words
}

/// Three days of headlines as a large newsroom sees them. Words and names follow Zipf's law, so the
/// same people and companies are in many stories. Most stories have one to three articles, a few
/// have hundreds; a story comes as a burst that fades. One article in six is a copy of an earlier
/// one, word by word or with a word more.
fn headlines(count: usize) -> Vec<Article> {
    let words = words();
    let mut dice = Dice(7);
    let mut found: Vec<Article> = Vec::with_capacity(count);
    while found.len() < count {
        let names: Vec<String> = (0..1 + dice.below(3)).map(|_| name(dice.rank(13_000))).collect();
        let topic: Vec<&str> = (0..7).map(|_| words[dice.rank(words.len())].as_str()).collect();
        let begun = dice.share() * 68.0;
        // Pareto: half of the stories have one article, one in a hundred more than a hundred.
        let size = (1.0 / (1.0 - dice.share()).max(0.0025)) as usize;
        let first = found.len();
        for _ in 0..size {
            let copied = found.len() > first && dice.below(6) == 0;
            let title = if copied {
                let copy = found[first + dice.below(found.len() - first)].title.clone();
                if dice.below(2) == 0 { copy } else { format!("{copy} {}", topic[dice.below(7)]) }
            } else {
                let mut parts = vec![names[dice.below(names.len())].as_str()];
                parts.extend((0..3 + dice.below(2)).map(|_| topic[dice.below(7)]));
                parts
                    .extend((0..2 + dice.below(3)).map(|_| words[dice.rank(words.len())].as_str()));
                if dice.below(2) == 0 {
                    parts.push(names[dice.below(names.len())].as_str());
                }
                parts.join(" ")
            };
            let after = -8.0 * (1.0 - dice.share()).ln();
            let published = Some(Timestamp(((begun + after) * 3_600_000.0) as i64));
            let id = found.len().to_string();
            found.push(Article { id, title, text: String::new(), published });
        }
    }
    found.truncate(count);
    found
}

#[divan::bench(args = [10_000, 100_000, 200_000], sample_count = 1)]
fn whole_window(bencher: divan::Bencher<'_, '_>, count: usize) {
    let articles = headlines(count);
    bencher.bench(|| stories(articles.iter().cloned(), Settings::default()).len());
}

/// A window of so many articles, and more that may come.
fn window(count: usize) -> (Window, Vec<Article>) {
    let mut articles = headlines(count + 1_000);
    // The last of a story must not all be missing from the window.
    let mut dice = Dice(11);
    for at in (1..articles.len()).rev() {
        articles.swap(at, dice.below(at + 1));
    }
    let more = articles.split_off(count);
    let background = Background::of(articles.iter().map(|article| article.title.as_str()));
    let mut window = Window::new(background, Settings::default());
    for article in articles {
        window.add(article);
    }
    window.changes();
    (window, more)
}

/// Adding an article to a window of 100,000 and asking for its story.
#[divan::bench(sample_count = 500, sample_size = 1)]
fn one_article_more(bencher: divan::Bencher<'_, '_>) {
    let (mut window, more) = window(100_000);
    let mut more = more.into_iter();
    bencher.bench_local(|| {
        let article = more.next().unwrap_or_default();
        let id = article.id.clone();
        window.add(article);
        window.story_of(&id)
    });
}

/// Dropping an article from a window of 100,000.
#[divan::bench(sample_count = 500, sample_size = 1)]
fn one_article_less(bencher: divan::Bencher<'_, '_>) {
    let (mut window, _) = window(100_000);
    let mut next = 0;
    bencher.bench_local(|| {
        next += 7;
        window.drop(&next.to_string());
        window.changes().len()
    });
}
