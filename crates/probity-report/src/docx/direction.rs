//! Which way a text is read: Word needs it for every paragraph and every run.

/// Whether a paragraph reads from right to left, as its first letter does.
pub(super) fn is_rtl<'a>(mut texts: impl Iterator<Item = &'a str>) -> bool {
    texts.find_map(|text| text.chars().find_map(letter)).unwrap_or(false)
}

/// Cuts a text of a paragraph into stretches that read one way; `true` is right to left.
///
/// What is no letter goes with the letters on both sides of it, or else with the paragraph; a number
/// goes with the letter before it.
pub(super) fn stretches(text: &str, paragraph: bool) -> Vec<(bool, String)> {
    let mut done: Vec<(bool, String)> = Vec::new();
    let mut between = String::new();
    let mut last = None;
    for c in text.chars() {
        let Some(rtl) = letter(c).or(if c.is_numeric() { last } else { None }) else {
            between.push(c);
            continue;
        };
        let way = if last == Some(rtl) { rtl } else { paragraph };
        add(&mut done, way, &std::mem::take(&mut between));
        add(&mut done, rtl, c.encode_utf8(&mut [0; 4]));
        last = Some(rtl);
    }
    add(&mut done, paragraph, &between);
    done
}

fn add(done: &mut Vec<(bool, String)>, rtl: bool, text: &str) {
    match done.last_mut() {
        _ if text.is_empty() => {}
        Some((way, stretch)) if *way == rtl => stretch.push_str(text),
        _ => done.push((rtl, text.to_owned())),
    }
}

/// Whether a letter is written from right to left; nothing if it is no letter.
fn letter(c: char) -> Option<bool> {
    c.is_alphabetic().then_some(matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_letter_decides_for_the_paragraph() {
        for (text, rtl) in [
            ("", false),
            ("12 – ", false),
            ("42 שלום", true),
            ("a שלום", false),
            ("(العربية)", true),
        ] {
            assert_eq!(is_rtl([text].into_iter()), rtl, "{text}");
        }
        assert!(is_rtl(["1. ", "שלום", "word"].into_iter()));
    }

    #[test]
    fn a_foreign_name_is_a_stretch_of_its_own() {
        let of = |text, paragraph| -> Vec<(bool, String)> { stretches(text, paragraph) };
        let ltr = of("He said “שלום עולם 55”, then left.", false);
        let parts: Vec<(bool, &str)> =
            ltr.iter().map(|(rtl, text)| (*rtl, text.as_str())).collect();
        assert_eq!(parts, [(false, "He said “"), (true, "שלום עולם 55"), (false, "”, then left.")]);
        let rtl = of("שלום Port Ellery!", true);
        let parts: Vec<(bool, &str)> =
            rtl.iter().map(|(rtl, text)| (*rtl, text.as_str())).collect();
        assert_eq!(parts, [(true, "שלום "), (false, "Port Ellery"), (true, "!")]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_neighbours_differ(text in "[a-c0-9 .,אבגابت]{0,30}", paragraph: bool) {
            let cut = stretches(&text, paragraph);
            prop_assert_eq!(cut.iter().map(|(_, part)| part.as_str()).collect::<String>(), text);
            prop_assert!(cut.windows(2).all(|pair| pair[0].0 != pair[1].0));
        }
    }
}
