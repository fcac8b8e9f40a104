//! Measuring the gate's judge on judged passages.

use serde::{Deserialize, Serialize};

use probity_research::analyst::embedded::gate::Judged;

/// The score from which on the gate keeps a passage.
const KEPT: u8 = 3;

/// Ranks beyond this count as not found.
const TOP: usize = 10;
/// Ties are broken by numbers from this seed: in the order of the file they would flatter whichever
/// passage comes first.
const SEED: u64 = 7;

/// A question with passages that people have judged.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) struct Case {
    /// The question.
    pub(super) question: String,
    /// The passages.
    pub(super) passages: Vec<Passage>,
}

/// A passage and what it is to the question.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) struct Passage {
    /// A name for it.
    #[serde(default)]
    pub(super) id: String,
    /// Its title, or empty.
    #[serde(default)]
    pub(super) title: String,
    /// Its text.
    pub(super) text: String,
    /// 2 answers, 1 is close, 0 is not.
    #[serde(default)]
    pub(super) grade: Option<u8>,
    /// The same in words.
    #[serde(default)]
    pub(super) label: Option<Label>,
}

/// What a passage is to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Label {
    /// It answers, and has to be kept.
    Answers,
    /// The same subject, the asked thing missing: either is right.
    Touches,
    /// It shares words only, and has to be dropped.
    Drop,
}

impl Passage {
    /// 2 answers, 1 is close, 0 is not.
    pub(super) fn grade(&self) -> u8 {
        match (self.grade, self.label) {
            (Some(grade), _) => grade.min(2),
            (None, Some(Label::Answers)) => 2,
            (None, Some(Label::Touches)) => 1,
            (None, _) => 0,
        }
    }
}

/// What the judge made of a set of cases.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Figures {
    /// How many questions, and how many passages.
    pub(super) questions: usize,
    /// How many passages.
    pub(super) passages: usize,
    /// The mean of 1 / rank of the first answer, none beyond ten.
    pub(super) mrr_at_10: f64,
    /// The discounted gain of the answers among the first ten, beside the best possible.
    pub(super) ndcg_at_10: f64,
    /// The chance that an answer has a higher value than another passage of the same question, as a
    /// mean over questions.
    pub(super) auc: f64,
    /// The same over all passages of all questions.
    pub(super) pooled_auc: f64,
    /// For grades 0, 1 and 2.
    pub(super) grades: [Shares; 3],
}

/// How the passages of one grade were scored.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(super) struct Shares {
    /// How many there are.
    pub(super) passages: usize,
    /// The share that the gate keeps.
    pub(super) kept: f64,
    /// How many have each score from 1 to 5.
    pub(super) scores: [usize; 5],
}

/// Works out the figures of judged cases.
pub(super) fn figures(cases: &[Case], judged: &[Vec<Judged>]) -> Figures {
    let mut dice = Dice(SEED);
    let (mut mrr, mut ndcg, mut auc, mut ranked) = (0.0, 0.0, 0.0, 0.0);
    let mut all: Vec<(u8, f64)> = Vec::new();
    let mut grades = [Shares::default(); 3];
    for (case, judged) in cases.iter().zip(judged) {
        let pairs: Vec<(u8, f64)> = case
            .passages
            .iter()
            .map(Passage::grade)
            .zip(judged.iter().map(|one| one.value))
            .collect();
        for ((grade, _), one) in pairs.iter().zip(judged) {
            if let Some(shares) = grades.get_mut(usize::from(*grade)) {
                shares.add(one.score);
            }
        }
        if pairs.iter().any(|(grade, _)| *grade == 2) {
            let order = order(&pairs, &mut dice);
            mrr += reciprocal_rank(&order);
            ndcg += gain(&order);
            auc += area(&pairs).unwrap_or(1.0);
            ranked += 1.0;
        }
        all.extend(pairs);
    }
    grades.iter_mut().for_each(Shares::finish);
    let mean = |sum: f64| if ranked > 0.0 { sum / ranked } else { 0.0 };
    Figures {
        questions: cases.len(),
        passages: all.len(),
        mrr_at_10: mean(mrr),
        ndcg_at_10: mean(ndcg),
        auc: mean(auc),
        pooled_auc: area(&all).unwrap_or_default(),
        grades,
    }
}

impl Shares {
    fn add(&mut self, score: u8) {
        self.passages += 1;
        self.kept += f64::from(u8::from(score >= KEPT));
        if let Some(count) = self.scores.get_mut(usize::from(score.clamp(1, 5) - 1)) {
            *count += 1;
        }
    }

    fn finish(&mut self) {
        if let Some(passages) = u32::try_from(self.passages).ok().filter(|passages| *passages > 0) {
            self.kept /= f64::from(passages);
        }
    }
}

/// The grades, best value first.
fn order(pairs: &[(u8, f64)], dice: &mut Dice) -> Vec<u8> {
    let mut order: Vec<(u8, f64, u64)> =
        pairs.iter().map(|(grade, value)| (*grade, *value, dice.next())).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2)));
    order.into_iter().map(|(grade, _, _)| grade).collect()
}

fn reciprocal_rank(order: &[u8]) -> f64 {
    let ranks = (1_u32..).zip(order).take(TOP);
    ranks
        .filter(|(_, grade)| **grade == 2)
        .map(|(rank, _)| 1.0 / f64::from(rank))
        .next()
        .unwrap_or_default()
}

fn gain(order: &[u8]) -> f64 {
    let discount = |rank: u32| 1.0 / f64::from(rank + 1).log2();
    let found: f64 = (1..)
        .zip(order)
        .take(TOP)
        .filter(|(_, grade)| **grade == 2)
        .map(|(rank, _)| discount(rank))
        .sum();
    let answers = order.iter().filter(|grade| **grade == 2).count().min(TOP);
    let best: f64 = (1..).take(answers).map(discount).sum();
    if best > 0.0 { found / best } else { 0.0 }
}

/// The chance that an answer beats another passage; ties count half. None without both.
fn area(pairs: &[(u8, f64)]) -> Option<f64> {
    let mut sorted: Vec<(u8, f64)> = pairs.to_vec();
    sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (mut below, mut wins, mut answers) = (0.0, 0.0, 0.0);
    for tie in sorted.chunk_by(|a, b| a.1 == b.1) {
        let good = tie.iter().map(|(grade, _)| f64::from(u8::from(*grade == 2))).sum::<f64>();
        let bad = tie.iter().map(|(grade, _)| f64::from(u8::from(*grade != 2))).sum::<f64>();
        wins += good * (below + bad / 2.0);
        answers += good;
        below += bad;
    }
    (answers > 0.0 && below > 0.0).then(|| wins / (answers * below))
}

/// A small generator of numbers that look random (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_second_place_has_half_the_rank() {
        assert_eq!(reciprocal_rank(&[0, 2, 1]), 0.5);
        assert!((gain(&[0, 2, 1]) - 1.0 / 3f64.log2()).abs() < 1e-12);
        assert_eq!(gain(&[2, 2, 0]), 1.0);
    }

    #[test]
    fn ties_count_half_wherever_they_stand() {
        assert_eq!(area(&[(2, 0.5), (0, 0.5)]), Some(0.5));
        assert_eq!(area(&[(0, 0.1), (2, 0.5), (1, 0.9)]), Some(0.5));
        assert_eq!(area(&[(2, 0.5)]), None);
    }

    #[test]
    fn equal_values_do_not_favour_the_first() {
        let mut dice = Dice(SEED);
        let firsts = (0..200)
            .filter(|_| order(&[(2, 0.5), (0, 0.5)], &mut dice).first() == Some(&2))
            .count();
        assert!((60..140).contains(&firsts), "{firsts}");
    }
}
