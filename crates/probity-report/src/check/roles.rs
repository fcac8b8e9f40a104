//! Who does what to whom: the same words with their roles exchanged are another statement.

use probity_text::tag::Tag;

use super::comparison::compares;
use super::finding::{Finding, Kind};
use super::frame::Frame;
use super::kinship::{ALIGNED, kinship, likeness};
use super::pair::{Pair, listed};
use super::reading::Word;

/// What comparing the roles came to.
#[derive(Default)]
pub(super) struct Roles {
    /// Two sides have changed places, which an opposite verb makes good: A sells, B buys.
    pub exchanged: bool,
    pub finding: Option<Finding>,
}

/// Verbs and nouns whose two sides are on a par: A met B, and B met A.
const MUTUAL: &str = "meet merge marry collide share agree equal resemble between differ compare border neighbour neighbor link connect associate correlate combine talk negotiate debate tie";
/// Verbs whose synonyms may take their sides the other way round: to win a prize, a prize goes to.
const SIDED: &str = "award win go_to receive get give teach learn lend borrow earn attribute have include contain belong own pay cost go save take need require allow";

/// Verbs that take the one who gains or pays as subject or as object: the robot saves nurses time.
const TURNABLE: &str = "save cost take need require allow have contain include";

/// Compares who does what in the claim and in the passage.
pub(super) fn roles(pair: &Pair<'_>) -> Roles {
    let mut found = Roles::default();
    // A comparison has its own two sides.
    if compares(pair) {
        return found;
    }
    for clause in pair.sentence.clauses.clone() {
        let mine = Frame::new(pair.claim, clause);
        if attached_crosswise(pair, &mine) || runs_back(pair, clause) {
            found.finding = found.finding.or_else(|| Some(exchange(pair, &mine)));
        }
        let Some((verb, link)) = mine
            .predicate
            .and_then(|verb| Some((verb, pair.align.firm(verb)?)))
            .filter(|(_, link)| link.grade > 0.7)
        else {
            continue;
        };
        let (Some(word), Some(source)) = (pair.claim.word(verb), pair.source.word(link.at)) else {
            continue;
        };
        let theirs = Frame::around(pair.source, link.at);
        let own = theirs.predicate == Some(link.at);
        let turned = own && is_exchanged(pair, &mine, &theirs);
        found.exchanged |= turned;
        if link.opposite || pair.claim_has(MUTUAL) {
            continue;
        }
        let same = word.lemma == source.lemma || word.stem == source.stem;
        let sided = listed(word, SIDED) || listed(source, SIDED);
        // "A lost to B" where "B beat A".
        let lost = |word: &Word| word.lemma.as_ref() == "lose";
        if lost(word) != lost(source) {
            found.exchanged = true;
            let straight =
                own && !turned && has_two_names(pair, &mine) && keeps(pair, &mine, &theirs);
            found.finding = found.finding.or_else(|| straight.then(|| exchange(pair, &mine)));
            continue;
        }
        let finding = if turned && (same || !sided && has_two_names(pair, &mine)) {
            Some(exchange(pair, &mine))
        } else if same && own && !listed(word, TURNABLE) && source.sentence == pair.align.anchor {
            stranger(pair, &mine, &theirs)
        } else {
            None
        };
        found.finding = found.finding.or(finding);
    }
    found
}

/// Whether the one who does it is the same on both sides.
fn keeps(pair: &Pair<'_>, mine: &Frame, theirs: &Frame) -> bool {
    mine.agent()
        .iter()
        .any(|at| pair.align.firm(*at).is_some_and(|link| theirs.agent().contains(&link.at)))
}

/// Whether the claim has a name on either side of its verb.
fn has_two_names(pair: &Pair<'_>, mine: &Frame) -> bool {
    let named = |places: &[usize]| {
        places.iter().any(|at| pair.claim.word(*at).is_some_and(|word| word.tag == Tag::Name))
    };
    let hanging: Vec<usize> = mine.hanging.iter().map(|each| each.at).collect();
    named(&mine.subject) && (named(&mine.object) || named(&mine.by) || named(&hanging))
}

fn exchange(pair: &Pair<'_>, mine: &Frame) -> Finding {
    let word = |place: Option<&usize>| {
        place
            .and_then(|at| pair.claim.word(*at))
            .map_or("subject", |word| word.lower.as_ref())
            .to_owned()
    };
    let other =
        mine.patient().first().or(mine.by.first()).or(mine.hanging.first().map(|each| &each.at));
    Finding::new(
        Kind::Exchanged,
        format!("“{}” and “{}” have changed places", word(mine.agent().first()), word(other)),
    )
}

/// Whether the claim's doer is done to in the passage, and the other way round.
fn is_exchanged(pair: &Pair<'_>, mine: &Frame, theirs: &Frame) -> bool {
    let found = |places: &[usize], among: &[usize]| {
        places.iter().any(|at| pair.align.firm(*at).is_some_and(|link| among.contains(&link.at)))
    };
    let hanging: Vec<usize> = theirs.hanging.iter().map(|each| each.at).collect();
    let mine_hanging: Vec<usize> = mine.hanging.iter().map(|each| each.at).collect();
    let agent_kept = found(mine.agent(), theirs.agent());
    let patient_kept = found(mine.patient(), theirs.patient());
    if agent_kept && patient_kept {
        return crossed(pair, mine, theirs);
    }
    let agent_lost = !agent_kept
        && (found(mine.agent(), theirs.patient())
            || found(mine.agent(), &hanging) && !theirs.agent().is_empty());
    let patient_lost = !patient_kept
        && (found(mine.patient(), theirs.agent())
            || found(&mine_hanging, theirs.agent()) && !found(&mine_hanging, &hanging));
    agent_lost && patient_lost
        || crossed(pair, mine, theirs)
        || claims_by(pair, mine, theirs)
        || changed_sides(pair, mine, theirs)
}

/// All that the claim has before its verb stands behind it in the passage, and the other way round;
/// nouns made from verbs count too: "the return of salmon allowed the removal".
fn changed_sides(pair: &Pair<'_>, mine: &Frame, theirs: &Frame) -> bool {
    let (Some(verb), Some(known)) = (mine.predicate, theirs.predicate) else { return false };
    let Some(sentence) = pair.source.word(known).map(|word| word.sentence) else { return false };
    let Some(clause) = pair.claim.word(verb).and_then(|word| pair.claim.clauses.get(word.clause))
    else {
        return false;
    };
    let mut sides = [0_usize; 4];
    for (at, word) in pair.claim.span(clause.words.clone()) {
        let Some((place, source)) =
            pair.counterpart(at).filter(|_| at != verb && word.is_content())
        else {
            continue;
        };
        let nominal = matches!(word.tag, Tag::Noun | Tag::Name);
        if source.sentence == sentence && place != known && nominal {
            let side = 2 * usize::from(at > verb) + usize::from(place > known);
            if let Some(count) = sides.get_mut(side) {
                *count += 1;
            }
        }
    }
    let [left_left, left_right, right_left, right_right] = sides;
    let crossing = left_right > 0 && right_left > 0 && left_left == 0 && right_right == 0;
    crossing && mine.passive == theirs.passive
}

/// The passage says by whom it was done, and the claim makes that one something it was done to.
fn claims_by(pair: &Pair<'_>, mine: &Frame, theirs: &Frame) -> bool {
    let linked = |at: &usize, among: &[usize]| {
        pair.align.firm(*at).is_some_and(|link| among.contains(&link.at))
    };
    let named = |at: &usize| pair.claim.word(*at).is_some_and(|word| word.tag == Tag::Name);
    if mine.passive || mine.subject.is_empty() {
        return false;
    }
    let doer = theirs.passive
        && mine.object.iter().any(|at| linked(at, &theirs.by))
        && !mine.subject.iter().any(|at| linked(at, &theirs.by));
    // "Brandt accused Ibe" against "Ibe accused her".
    let turned = !theirs.passive
        && mine.object.iter().any(|at| named(at) && linked(at, &theirs.subject))
        && !mine.subject.iter().any(|at| linked(at, &theirs.subject));
    // "It won, beating A": A did not win.
    let hanging: Vec<usize> = theirs.hanging.iter().map(|each| each.at).collect();
    let within = |at: &usize| linked(at, &theirs.object) || linked(at, &hanging);
    let pronoun =
        theirs.pronoun && !theirs.passive && mine.subject.iter().all(|at| within(at) && named(at));
    doer || turned || pronoun
}

/// Two things behind prepositions, or one there and the object, have changed places: "replacing
/// gas with coal".
fn crossed(pair: &Pair<'_>, mine: &Frame, theirs: &Frame) -> bool {
    let key =
        |frame: &Frame, at: usize| {
            if frame.patient().contains(&at) {
                return Some((false, String::new()));
            }
            frame.hanging.iter().find(|each| each.at == at).map(|each| {
                (!each.behind.is_empty(), format!("{} {}", each.preposition, each.behind))
            })
        };
    let places: Vec<usize> =
        mine.patient().iter().copied().chain(mine.hanging.iter().map(|each| each.at)).collect();
    places.iter().enumerate().any(|(number, a)| {
        places.iter().skip(number + 1).any(|b| {
            let (Some(a2), Some(b2)) = (pair.align.firm(*a), pair.align.firm(*b)) else {
                return false;
            };
            let (Some(a), Some(b), Some(a2), Some(b2)) =
                (key(mine, *a), key(mine, *b), key(theirs, a2.at), key(theirs, b2.at))
            else {
                return false;
            };
            a != b && a == b2 && b == a2
        })
    })
}

/// Two names behind the same preposition have changed the nouns they belong to: "an opera by A to
/// a libretto by B".
fn attached_crosswise(pair: &Pair<'_>, mine: &Frame) -> bool {
    let source = |at: usize| {
        let (place, word) = pair.counterpart(at)?;
        Frame::new(pair.source, word.clause).hanging.into_iter().find(|each| each.at == place)
    };
    mine.hanging.iter().enumerate().any(|(number, a)| {
        mine.hanging.iter().skip(number + 1).any(|b| {
            let nouns = !a.behind.is_empty()
                && !b.behind.is_empty()
                && a.behind != b.behind
                && a.preposition == b.preposition;
            let (Some(a2), Some(b2)) = (source(a.at).filter(|_| nouns), source(b.at)) else {
                return false;
            };
            a.preposition == a2.preposition
                && b.preposition == b2.preposition
                && a.behind == b2.behind
                && b.behind == a2.behind
        })
    })
}

/// "from A to B" where the passage has "from B to A", whatever the verbs.
fn runs_back(pair: &Pair<'_>, clause: usize) -> bool {
    let governed = |at: usize, preposition: &str| {
        pair.claim.governor(at).is_some_and(|word| word.lower.as_ref() == preposition)
    };
    let turned = |at: usize, preposition: &str| {
        pair.counterpart(at).is_some_and(|(place, _)| {
            pair.source.governor(place).is_some_and(|word| word.lower.as_ref() == preposition)
        })
    };
    let nouns = || {
        pair.content()
            .filter(|(_, word)| word.clause == clause && matches!(word.tag, Tag::Noun | Tag::Name))
    };
    // "came to Norway" against "came from Norway": one name is enough where the verb is the same.
    let same_verb = pair.content().any(|(at, word)| {
        let found = pair.counterpart(at);
        word.tag == Tag::Verb
            && word.clause == clause
            && found.is_some_and(|(_, source)| source.lemma == word.lemma)
    });
    let names = || nouns().filter(|(_, word)| word.tag == Tag::Name);
    if same_verb
        && (names().any(|(at, _)| governed(at, "from") && turned(at, "to"))
            || names().any(|(at, _)| governed(at, "to") && turned(at, "from")))
    {
        return true;
    }
    nouns().any(|(at, _)| governed(at, "from") && turned(at, "to"))
        && nouns().any(|(at, _)| governed(at, "to") && turned(at, "from"))
}

/// The claim says of one what the passage says of another.
fn stranger(pair: &Pair<'_>, mine: &Frame, theirs: &Frame) -> Option<Finding> {
    let (mine_subject, their_subject) = if mine.passive == theirs.passive {
        (mine.subject.as_slice(), theirs.subject.as_slice())
    } else {
        (mine.agent(), theirs.agent())
    };
    // "Members of the dockers' union": what hangs on the subject is part of it.
    let mut whole = their_subject.to_vec();
    let nouns: Vec<&str> = their_subject
        .iter()
        .filter_map(|at| pair.source.word(*at))
        .map(|word| word.lemma.as_ref())
        .collect();
    whole.extend(
        theirs
            .hanging
            .iter()
            .filter(|each| {
                each.preposition.as_ref() == "of" && nouns.contains(&each.behind.as_ref())
            })
            .map(|each| each.at),
    );
    let their_subject = whole.as_slice();
    let by_subject =
        if theirs.pronoun { None } else { other(pair, mine_subject, their_subject, false) };
    by_subject.or_else(|| other(pair, &mine.object, &theirs.object, true)).or_else(|| {
        mine.hanging.iter().find_map(|each| {
            let same: Vec<usize> = theirs
                .hanging
                .iter()
                .filter(|known| known.preposition == each.preposition)
                .map(|known| known.at)
                .collect();
            let twice =
                mine.hanging.iter().filter(|other| other.preposition == each.preposition).count()
                    > 1;
            other(pair, &[each.at], &same, twice || each.preposition.as_ref() == "of")
        })
    })
}

/// One of the claim's players that the passage has elsewhere, while another plays its part. For
/// objects and the like only names are sure enough.
fn other(pair: &Pair<'_>, mine: &[usize], theirs: &[usize], names_only: bool) -> Option<Finding> {
    if mine.is_empty() || theirs.is_empty() {
        return None;
    }
    let kept =
        mine.iter().any(|at| pair.align.firm(*at).is_some_and(|link| theirs.contains(&link.at)));
    if kept || mine.iter().any(|at| theirs.iter().any(|place| is_akin(pair, *at, *place))) {
        return None;
    }
    let at = mine.iter().copied().find(|at| pair.align.firm(*at).is_some())?;
    let word = pair.claim.word(at)?;
    // "The workers" may be the ants of the sentence before; nobody is taken up before being named.
    let found = pair.align.firm(at).and_then(|link| pair.source.word(link.at))?;
    let first = pair.source.word(*theirs.first()?)?;
    let earlier = found.sentence < first.sentence;
    let named = theirs
        .iter()
        .filter_map(|place| pair.source.word(*place))
        .find(|word| word.tag == Tag::Name);
    let taken = theirs.iter().any(|place| pair.align.claimed(*place).is_some());
    let rival = match (word.tag == Tag::Name, named) {
        (true, Some(rival)) => rival,
        // A name may be taken up by "the company"; two common nouns are two things.
        (true, None) if taken && !names_only => first,
        (false, Some(rival)) if !names_only => rival,
        (false, None) if !names_only && (taken || !earlier) => pair.source.word(*theirs.last()?)?,
        _ => return None,
    };
    Some(Finding::new(
        Kind::Stranger,
        format!("the source says this of “{}”, not of “{}”", rival.lower, word.lower),
    ))
}

fn is_akin(pair: &Pair<'_>, claim: usize, source: usize) -> bool {
    let (Some(mine), Some(theirs)): (Option<&Word>, Option<&Word>) =
        (pair.claim.word(claim), pair.source.word(source))
    else {
        return false;
    };
    let close = kinship(mine, theirs);
    close.grade >= ALIGNED && !close.opposite || likeness(mine, theirs) > 0.5
}
