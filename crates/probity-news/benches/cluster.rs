//! How fast articles become stories: whole windows, and one article more.
#![allow(clippy::indexing_slicing, reason = "a benchmark's inputs are its own")]

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
        (self.0 >> 33) as usize % sides
    }

    /// Small numbers more often than large ones, as with words.
    fn skewed(&mut self, sides: usize) -> usize {
        let (a, b) = (self.below(sides), self.below(sides));
        a * b / sides
    }

    fn name(&mut self) -> String {
        const PARTS: [&str; 24] = [
            "ka", "lor", "ven", "mi", "tar", "bel", "os", "ri", "dun", "sa", "vel", "no", "quin",
            "ar", "to", "mar", "eth", "lin", "go", "pra", "shi", "wo", "ul", "zen",
        ];
        (0..2 + self.below(2)).map(|_| PARTS[self.below(PARTS.len())]).collect()
    }
}

/// Headlines of stories of one to twenty articles over three days, each with names and a topic of
/// its own, told in words that all share.
fn headlines(count: usize) -> Vec<Article> {
    let text = include_str!("../tests/data/headlines.txt");
    let mut words: Vec<&str> = text.split_whitespace().filter(|w| w.len() > 3).collect();
    words.sort_unstable();
    words.dedup();
    let mut dice = Dice(7);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let names: Vec<String> = (0..3).map(|_| dice.name()).collect();
        let topic: Vec<&str> = (0..6).map(|_| words[dice.skewed(words.len())]).collect();
        let begun = dice.below(60) as i64;
        for _ in 0..1 + dice.skewed(20) {
            let mut title = names[dice.below(3)].clone();
            for _ in 0..3 {
                title = format!("{title} {}", topic[dice.below(6)]);
            }
            for _ in 0..2 + dice.below(3) {
                title = format!("{title} {}", words[dice.skewed(words.len())]);
            }
            if dice.below(2) == 0 {
                title = format!("{title} {}", names[dice.below(3)]);
            }
            let published = Timestamp((begun + dice.below(12) as i64) * 3_600_000);
            found.push(Article {
                id: found.len().to_string(),
                title,
                text: String::new(),
                published: Some(published),
            });
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

/// Adding an article to a window of 100,000 and asking for its story.
#[divan::bench(sample_count = 40, sample_size = 1)]
fn one_article_more(bencher: divan::Bencher<'_, '_>) {
    let articles = headlines(101_000);
    let background = Background::of(articles.iter().map(|article| article.title.as_str()));
    let mut window = Window::new(background, Settings::default());
    let (first, more) = articles.split_at(100_000);
    for article in first {
        window.add(article.clone());
    }
    window.bring_up_to_date();
    let mut more = more.iter().cycle();
    bencher.bench_local(|| {
        let article = more.next().cloned().unwrap_or_default();
        let id = article.id.clone();
        window.add(article);
        window.story_of(&id)
    });
}
