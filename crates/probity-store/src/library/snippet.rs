//! Passages of a document → the excerpt that shows best what it says on the query.
//!
//! A source is scored at discovery by the words of its title and excerpt, before anyone reads it.
//! So the excerpt is made of the sentences that hold the query's words, in the order of the text,
//! and the words that the title has already shown count for less.

use std::collections::HashSet;
use std::ops::Range;

use probity_text::Language;
use probity_text::sentences::sentences;

use super::finder::Finder;
use super::rank::Query;

/// The longest excerpt, in characters.
pub const SNIPPET_CHARS: usize = 300;
/// How many sentences are weighed. Two passages seldom have more.
const SENTENCES: usize = 400;
/// What is left of a word's weight when the title has it.
const IN_TITLE: f64 = 0.3;
/// A piece shorter than this, in characters, is not worth a gap in the excerpt.
const SHORTEST: usize = 20;
/// The mark where something was left out.
const GAP: &str = " … ";

/// A sentence that may go into the excerpt.
struct Piece<'t> {
    text: &'t str,
    chars: usize,
    words: HashSet<usize>,
}

/// The excerpt of some passages of one document, which come in the order of the text.
pub(crate) fn snippet(
    query: &Query,
    title: &str,
    passages: &[&str],
    language: Language,
    finder: &mut Finder<'_>,
) -> String {
    let mut weights = query.weights.clone();
    for number in numbers(&finder.places(title, language)) {
        if let Some(weight) = weights.get_mut(number) {
            *weight *= IN_TITLE;
        }
    }
    let pieces: Vec<Piece<'_>> = passages
        .iter()
        .flat_map(|passage| sentences(passage).into_iter().filter_map(|range| passage.get(range)))
        .filter(|sentence| *sentence != title.trim())
        .take(SENTENCES)
        .map(|text| fit(text, &finder.places(text, language), &weights))
        .collect();
    join(&pieces, &choose(&pieces, &weights))
}

/// Which words of the query there are among some places.
fn numbers(places: &[(Range<usize>, Option<usize>)]) -> HashSet<usize> {
    places.iter().filter_map(|(_, number)| *number).collect()
}

/// A sentence as it is, or the part of a long one that has most of the query's weight.
fn fit<'t>(text: &'t str, places: &[(Range<usize>, Option<usize>)], weights: &[f64]) -> Piece<'t> {
    let chars = text.chars().count();
    if chars <= SNIPPET_CHARS {
        return Piece { text, chars, words: numbers(places) };
    }
    let window = best_window(text, places, weights);
    let held =
        places.iter().filter(|(place, _)| window.start <= place.start && place.end <= window.end);
    let words = held.filter_map(|(_, number)| *number).collect();
    let text = text.get(window).unwrap_or_default();
    Piece { text, chars: text.chars().count(), words }
}

/// The stretch of whole words, at most an excerpt long, that holds the most weight of the query,
/// with as much around it before as after.
fn best_window(
    text: &str,
    found: &[(Range<usize>, Option<usize>)],
    weights: &[f64],
) -> Range<usize> {
    let mut best = (0.0, usize::MAX, 0..SNIPPET_CHARS);
    let mut last = 0;
    for (first, (place, _)) in found.iter().enumerate() {
        last = last.max(first);
        // Bytes bound characters from above, so the window is never too long.
        while found.get(last + 1).is_some_and(|(next, _)| next.end - place.start <= SNIPPET_CHARS) {
            last += 1;
        }
        let Some(window) = found.get(first..=last) else { break };
        let (weight, lean) = weigh_window(window, weights);
        if weight > best.0 || (weight == best.0 && lean < best.1) {
            let end = window.last().map_or(place.end, |(place, _)| place.end);
            best = (weight, lean, place.start..end.min(place.start + SNIPPET_CHARS));
        }
    }
    best.2.start..text.floor_char_boundary(best.2.end)
}

/// The weight of the distinct words of the query in a window, and by how many bytes they stand
/// nearer to one end of it than to the other.
fn weigh_window(window: &[(Range<usize>, Option<usize>)], weights: &[f64]) -> (f64, usize) {
    let weight = numbers(window).iter().filter_map(|number| weights.get(*number)).sum();
    let mut hits = window.iter().filter(|(_, number)| number.is_some()).map(|(place, _)| place);
    let lean = match (window.first(), window.last(), hits.next()) {
        (Some((start, _)), Some((end, _)), Some(first)) => {
            let last = hits.next_back().unwrap_or(first);
            (first.start - start.start).abs_diff(end.end - last.end)
        }
        _ => usize::MAX,
    };
    (weight, lean)
}

/// Takes the piece that adds the most new weight until nothing more fits or helps. Pieces that add
/// nothing still fill up an empty excerpt, from the beginning.
fn choose(pieces: &[Piece<'_>], weights: &[f64]) -> Vec<usize> {
    let mut shown: HashSet<usize> = HashSet::new();
    let mut chosen: Vec<usize> = Vec::new();
    let mut room = SNIPPET_CHARS;
    loop {
        let gain = |piece: &Piece<'_>| -> f64 {
            piece.words.difference(&shown).filter_map(|number| weights.get(*number)).sum()
        };
        let fits =
            |index: usize, piece: &Piece<'_>| piece.chars <= room && !chosen.contains(&index);
        let best = pieces
            .iter()
            .enumerate()
            .filter(|(index, piece)| fits(*index, piece))
            .map(|(index, piece)| (gain(piece), index))
            .filter(|(gain, index)| *gain > 0.0 || follows(pieces, &chosen, *index))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((_, index)) = best else { break };
        let Some(piece) = pieces.get(index) else { break };
        shown.extend(&piece.words);
        chosen.push(index);
        room = room.saturating_sub(piece.chars + GAP.chars().count());
        if room < SHORTEST {
            break;
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Whether a piece that adds no word may be taken: the first of the text, or a whole sentence that
/// goes on from what is there already. A heading would only trail behind.
fn follows(pieces: &[Piece<'_>], chosen: &[usize], index: usize) -> bool {
    if chosen.is_empty() {
        return index == 0;
    }
    let is_sentence =
        |piece: &Piece<'_>| piece.text.ends_with(['.', '!', '?', '…', '。', '”', '"']);
    index > 0 && chosen.contains(&(index - 1)) && pieces.get(index).is_some_and(is_sentence)
}

fn join(pieces: &[Piece<'_>], chosen: &[usize]) -> String {
    let mut text = String::new();
    let mut before: Option<usize> = None;
    for index in chosen {
        let Some(piece) = pieces.get(*index) else { continue };
        if let Some(before) = before {
            text.push_str(if *index == before + 1 { " " } else { GAP });
        }
        text.push_str(piece.text);
        before = Some(*index);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn excerpt(query: &str, title: &str, passages: &[&str]) -> String {
        let query = Query::new(query, &[]);
        snippet(&query, title, passages, Language::English, &mut Finder::new(&query))
    }

    #[test]
    fn the_sentences_with_the_words_are_shown_in_the_order_of_the_text() {
        let filler =
            "Nothing of note happened in the town on that day, or on the day after it. ".repeat(6);
        let text =
            format!("Fines are high. {filler}\nLimits of 55 decibels hold at night. {filler}");
        let found = excerpt("decibel limits and fines at night", "", &[&text]);
        assert!(found.starts_with("Fines are high."), "{found}");
        assert!(found.contains("… Limits of 55 decibels hold at night."), "{found}");
    }

    #[test]
    fn a_word_of_the_title_gives_way_to_one_that_is_missing_there() {
        let wide = "w".repeat(260);
        let text = format!("The noise {wide}.\nThe permit {wide}.");
        assert!(excerpt("noise permit", "Noise", &[&text]).starts_with("The permit"));
    }

    #[test]
    fn a_sentence_without_end_is_cut_around_the_words() {
        let text = format!(
            "{}the lighthouse reopened in June{}",
            "and so on ".repeat(200),
            " and on".repeat(200)
        );
        let found = excerpt("When did the lighthouse reopen?", "", &[&text]);
        assert!(found.contains("lighthouse reopened in June"), "{found}");
    }

    #[test]
    fn without_any_word_of_the_query_the_text_begins() {
        assert_eq!(excerpt("zebra", "T", &["First here. Then there."]), "First here. Then there.");
        assert_eq!(excerpt("zebra", "T", &[]), "");
    }

    proptest! {
        #[test]
        fn an_excerpt_is_never_too_long(text in "(night |Permit é|\\. |\n|\\PC{0,30}){0,80}") {
            let found = excerpt("permit at night", "Permits", &[&text]);
            prop_assert!(found.chars().count() <= SNIPPET_CHARS, "{}", found.chars().count());
        }
    }
}
