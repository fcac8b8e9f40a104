//! Which words of a clause are denied.
//!
//! A cue (`not`, `never`, `no`, `failed to`, `without`) turns its clause round, two cues turn it back.
//! Some cues reach only the phrase behind them: `without a licence` denies the licence, not the rest.

use std::ops::Range;

use crate::lemma::Form;
use crate::tag::{Tag, Tagged};

/// A word or phrase that denies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cue {
    /// The tokens of the cue.
    pub at: Range<usize>,
    /// The tokens it denies.
    pub scope: Range<usize>,
}

/// The cues of a sentence, with what each denies, in order.
///
/// ```
/// use probity_text::{clause::clauses, lex::tokens, negation::negations, tag::tag};
///
/// let sentence = tag(tokens("The lander failed to anchor and bounced twice."));
/// let cues = negations(&sentence, &clauses(&sentence));
/// assert_eq!(cues.len(), 1);
/// assert_eq!(sentence[cues[0].scope.clone()][0].token.text, "anchor");
/// ```
pub fn negations(sentence: &[Tagged<'_>], clauses: &[Range<usize>]) -> Vec<Cue> {
    let mut found = Vec::new();
    for clause in clauses {
        let mut at = clause.start;
        while at < clause.end {
            match cue(sentence, clause, at) {
                Some(cue) => {
                    at = cue.at.end.max(at + 1);
                    found.push(cue);
                }
                None => at += 1,
            }
        }
    }
    found
}

/// How far a cue reaches.
enum Reach {
    /// The whole clause.
    Clause,
    /// From the cue to the end of the clause.
    Ahead,
    /// The noun phrase behind the cue.
    Phrase,
}

fn cue(sentence: &[Tagged<'_>], clause: &Range<usize>, at: usize) -> Option<Cue> {
    let word =
        |offset: usize| sentence.get(at + offset).map_or("", |tagged| tagged.token.lower.as_ref());
    let (length, reach) =
        plain(sentence, clause.start, at, &word).or_else(|| verbal(sentence, at, &word))?;
    let end = (at + length).min(clause.end.max(at + 1));
    let scope = match reach {
        Reach::Clause => clause.clone(),
        Reach::Ahead => end..object_end(sentence, end, clause.end),
        Reach::Phrase => end..phrase_end(sentence, end),
    };
    Some(Cue { at: at..end, scope })
}

/// Cues that are no verbs.
fn plain<'a>(
    sentence: &[Tagged<'_>],
    clause_start: usize,
    at: usize,
    word: &impl Fn(usize) -> &'a str,
) -> Option<(usize, Reach)> {
    let first = word(0);
    Some(match (first, word(1)) {
        ("not", "only" | "just" | "least") | ("no", "doubt") => return None,
        // "no fewer than", "no later than", "no further than" set a bound.
        ("no", _) if word(2) == "than" => return None,
        ("not", _)
            if word(2) == "than"
                && sentence.get(at + 3).is_some_and(|next| next.tag == Tag::Number) =>
        {
            return None;
        }
        ("no", "longer") | ("not", "yet") => (2, Reach::Clause),
        ("not", _) if is_until(sentence, at) => return None,
        // "adopts her rules, not his" denies only what follows.
        ("not", _) if is_afterthought(sentence, at) => (1, Reach::Ahead),
        ("no", "." | ",") => return None,
        // "nobody but scientists" are the scientists alone.
        ("nobody" | "none" | "nothing" | "no", "but" | "except") => return None,
        ("nothing" | "nobody" | "no", _) if word(1) == "one" && word(2) == "but" => return None,
        // "carries a railway, but no road" denies the road alone.
        ("no", _) if is_object(sentence, clause_start, at) => (1, Reach::Phrase),
        ("away", "from") if word(2) == "home" => (2, Reach::Phrase),
        (
            "not" | "never" | "neither" | "nor" | "nobody" | "nothing" | "none" | "no" | "hardly"
            | "scarcely" | "cannot",
            _,
        ) => (1, Reach::Clause),
        // "little change", "few people", but not "a little" and "a few".
        ("little" | "few", _) if is_scant(sentence, at) => (1, Reach::Phrase),
        ("without", _) => (1, Reach::Phrase),
        ("rather" | "instead" | "other", "than" | "of") => (2, Reach::Phrase),
        ("except", _) => (1, Reach::Phrase),
        ("unlike", _) => (1, Reach::Phrase),
        ("lack" | "absence", "of") => (2, Reach::Phrase),
        ("far", "from") => (2, Reach::Phrase),
        (
            "kein" | "keine" | "keinen" | "nicht" | "nie" | "niemals" | "pas" | "jamais" | "aucun"
            | "aucune" | "nunca" | "sin" | "ningún" | "ninguna" | "non" | "nessun" | "nessuna"
            | "mai" | "não" | "nenhum" | "nenhuma" | "niet" | "geen",
            _,
        ) => (1, Reach::Clause),
        _ if first.ends_with("n't") => (1, Reach::Clause),
        _ => return None,
    })
}

/// Whether a "little" or "few" says that there is hardly any.
fn is_scant(sentence: &[Tagged<'_>], at: usize) -> bool {
    let before = at
        .checked_sub(1)
        .and_then(|at| sentence.get(at))
        .map_or("", |before| before.token.lower.as_ref());
    let noun = sentence
        .get(at + 1)
        .is_some_and(|next| next.tag == Tag::Noun && next.lemma.form != Form::Comparative);
    noun && !matches!(
        before,
        "a" | "the" | "every" | "quite" | "these" | "those" | "last" | "next" | "past" | "first"
    )
}

/// Whether a "not" stands behind a comma or "and" with no verb to come: it takes back a part.
fn is_afterthought(sentence: &[Tagged<'_>], at: usize) -> bool {
    let joined = at
        .checked_sub(1)
        .and_then(|at| sentence.get(at))
        .is_some_and(|before| matches!(before.token.lower.as_ref(), "," | "and" | "but"));
    joined && !sentence.iter().skip(at + 1).any(Tagged::is_finite)
}

/// "did not open until June" says that it opened in June.
fn is_until(sentence: &[Tagged<'_>], at: usize) -> bool {
    let rest = sentence.get(at..).unwrap_or_default();
    let dated = |place: usize| {
        rest.get(place + 1).is_some_and(|next| next.tag == Tag::Number || next.tag == Tag::Name)
    };
    rest.iter().take(6).enumerate().any(|(place, tagged)| match tagged.token.lower.as_ref() {
        "until" | "till" => true,
        "before" => dated(place),
        _ => false,
    })
}

/// Whether a "no" denies only the noun behind it: "found no effect", "a railway, but no road". A "no"
/// before the verb denies the verb too: "no injuries were reported".
fn is_object(sentence: &[Tagged<'_>], start: usize, at: usize) -> bool {
    sentence.get(start..at).unwrap_or_default().iter().any(Tagged::is_finite)
}

/// Verbs that deny what they govern: `failed to open`, `stopped selling`, `has yet to decide`.
fn verbal<'a>(
    sentence: &[Tagged<'_>],
    at: usize,
    word: &impl Fn(usize) -> &'a str,
) -> Option<(usize, Reach)> {
    let tagged = sentence.get(at)?;
    let base = tagged.lemma.base.as_str();
    let ing = |offset: usize| {
        sentence
            .get(at + offset)
            .is_some_and(|next| next.tag == Tag::Verb && next.lemma.form == Form::Ing)
    };
    Some(match (base, word(1)) {
        ("fail" | "refuse" | "decline" | "neglect" | "unable" | "yet" | "forget", "to") => {
            (2, Reach::Ahead)
        }
        ("stop" | "cease" | "quit" | "discontinue" | "avoid", _) if ing(1) => (1, Reach::Ahead),
        ("prevent" | "keep" | "bar" | "stop", _)
            if word(2) == "from" && ing(3) || word(3) == "from" && ing(4) =>
        {
            (1, Reach::Ahead)
        }
        ("deny" | "doubt" | "lack", _) if tagged.tag == Tag::Verb => (1, Reach::Ahead),
        ("decide" | "vote" | "advise" | "rule" | "argue", "against") => (2, Reach::Ahead),
        ("free", "of" | "from") => (2, Reach::Phrase),
        _ => return None,
    })
}

/// Where the object of the verb that begins at a token ends: at the next preposition or mark.
fn object_end(sentence: &[Tagged<'_>], start: usize, end: usize) -> usize {
    let stops = |tagged: &Tagged<'_>| {
        tagged.tag == Tag::Preposition || tagged.tag == Tag::Mark && !tagged.token.is("-")
    };
    let found = (start + 1..end).find(|at| sentence.get(*at).is_some_and(stops));
    found.unwrap_or(end).max(start)
}

/// Where the noun phrase that begins at a token ends.
fn phrase_end(sentence: &[Tagged<'_>], start: usize) -> usize {
    let mut seen = false;
    for (at, tagged) in sentence.iter().enumerate().skip(start) {
        match tagged.tag {
            Tag::Noun | Tag::Name => seen = true,
            Tag::Determiner | Tag::Adjective | Tag::Number => {
                if seen {
                    return at;
                }
            }
            Tag::Verb if tagged.lemma.form == Form::Ing && !seen => {}
            Tag::Mark if tagged.token.is("-") => {}
            _ => {
                if seen || tagged.tag == Tag::Mark {
                    return at;
                }
            }
        }
    }
    sentence.len()
}

/// Whether each token of a sentence is denied: by an odd number of cues.
pub fn denied(sentence: &[Tagged<'_>], cues: &[Cue]) -> Vec<bool> {
    let turned = |at: usize| {
        cues.iter().filter(|cue| cue.scope.contains(&at) && !cue.at.contains(&at)).count() % 2 == 1
    };
    (0..sentence.len()).map(turned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::clauses;
    use crate::lex::tokens;
    use crate::tag::tag;

    fn denied_words(text: &str) -> Vec<String> {
        let sentence = tag(tokens(text));
        let cues = negations(&sentence, &clauses(&sentence));
        let denied = denied(&sentence, &cues);
        sentence
            .iter()
            .zip(denied)
            .filter(|(tagged, denied)| *denied && tagged.is_content())
            .map(|(tagged, _)| tagged.token.text.to_owned())
            .collect()
    }

    #[test]
    fn a_cue_denies_its_clause_and_no_other() {
        assert_eq!(denied_words("The mill closed, but the mine did not close."), ["mine", "close"]);
        assert_eq!(denied_words("No injuries were reported."), ["injuries", "reported"]);
        assert_eq!(denied_words("Nobody came and the shop shut."), ["came"]);
        assert_eq!(denied_words("They don't sell milk."), ["sell", "milk"]);
        assert_eq!(denied_words("The plant no longer emits smoke."), ["plant", "emits", "smoke"]);
    }

    #[test]
    fn some_cues_reach_only_what_follows() {
        assert_eq!(denied_words("Photography is allowed without flash."), ["flash"]);
        assert_eq!(denied_words("The lander failed to anchor."), ["anchor"]);
        assert_eq!(
            denied_words("Doctors have stopped prescribing Zoralin."),
            ["prescribing", "Zoralin"]
        );
        assert_eq!(denied_words("The bumps, rather than the wax, attract water."), ["wax"]);
    }

    #[test]
    fn what_only_looks_like_a_denial_is_none() {
        for text in [
            "It did not open until June.",
            "It was not only cheap.",
            "There were no fewer than 40 boats.",
            "There is no doubt it fell.",
        ] {
            assert_eq!(denied_words(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn two_cues_cancel() {
        assert_eq!(denied_words("It never failed to open."), ["failed"]);
    }
}
