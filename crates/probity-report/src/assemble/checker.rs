//! The statements of a draft → checked ones, with the sources numbered as they are cited.

use std::collections::BTreeMap;

use probity_core::{SourceId, Verdict};

use super::{CheckedStatement, CheckedTheme, Evidence, OnUnverified, SourceText, Texts, Verdicts};
use crate::check::quote::{invented, unquoted};
use crate::check::{Check, PAIRS_MOST, Passage, Readings, SourceIndex, Support, Wanted, follows};
use crate::confidence::Checked;
use crate::draft::{Conflict, Draft, Form, Statement, Theme};
use crate::facts::RunFacts;
use crate::infer::{self, Premises};
use crate::sentence;
use crate::settle::Forms;

/// What a draft may hold; more is cut off. The longest report that can be asked for has 10,000 words, some 500
/// statements, and as many can be read beside two passages each.
const MAX_THEMES: usize = 40;
const MAX_STATEMENTS: usize = PAIRS_MOST / 2;

pub(super) struct Checker<'a> {
    facts: &'a RunFacts,
    /// The texts of the sources that may be cited.
    texts: BTreeMap<SourceId, &'a SourceText>,
    pub(super) numbers: Vec<SourceId>,
    forms: Forms<'a>,
    /// Headings that whoever asked has given.
    headings: Vec<String>,
    premises: Premises,
    /// The texts of the statements whose reading was asked for, so that conclusions can be read beside them.
    wanted: Vec<String>,
    pub(super) checked: Checked,
    on: OnUnverified,
    verdicts: &'a Verdicts,
}

/// What a cited source has on a sentence.
struct Found {
    source: SourceId,
    check: Check,
    /// Whether its title says it, and not its text.
    by_title: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn new(
        draft: &Draft,
        facts: &'a RunFacts,
        texts: &'a Texts,
        on: OnUnverified,
        verdicts: &'a Verdicts,
    ) -> Self {
        let kept = facts.candidates.iter().filter(|c| c.verdict == Verdict::Read);
        let attributed = facts.candidates.iter().filter(|c| c.attribution.is_some()).map(|c| c.id);
        let texts: BTreeMap<SourceId, &'a SourceText> =
            kept.filter_map(|c| Some((c.id, texts.get(&c.id)?))).collect();
        let forms = Forms::new(texts.clone(), attributed);
        Self {
            facts,
            texts,
            numbers: Vec::new(),
            forms,
            headings: draft.headings.iter().map(|given| sentence::headline(given)).collect(),
            premises: Premises::default(),
            wanted: Vec::new(),
            checked: Checked::default(),
            on,
            verdicts,
        }
    }

    /// Lists what has to be read before a statement can be decided on.
    pub(super) fn want(&mut self, statement: &Statement, wanted: &mut Wanted) {
        let Statement { text, cites, form } = self.forms.settle(statement.clone());
        if let Form::Inference { from } = &form {
            let from = from.iter().filter_map(|place| self.wanted.get(*place));
            let premises = infer::beside(from.map(String::as_str));
            wanted.add(SourceIndex::new(premises).pairs(&text));
        }
        let cites = self.cited(&cites);
        let read =
            if self.quoted_cells(&form, &text, &cites).is_some() { &[] } else { cites.as_slice() };
        for id in read {
            let source = self.texts.get(id);
            wanted.add(source.map_or_else(Vec::new, |source| source.index().pairs(&text)));
        }
        self.wanted.push(text);
    }

    pub(super) fn themes(&mut self, themes: Vec<Theme>, readings: &Readings) -> Vec<CheckedTheme> {
        let themes = themes.into_iter().take(MAX_THEMES);
        themes.filter_map(|theme| self.theme(theme, readings)).collect()
    }

    fn theme(&mut self, theme: Theme, readings: &Readings) -> Option<CheckedTheme> {
        let statements: Vec<CheckedStatement> =
            theme.statements.into_iter().filter_map(|one| self.finding(one, readings)).collect();
        let heading = match sentence::headline(&theme.heading) {
            heading if heading.is_empty() || !self.may_head(&heading, &statements) => {
                "Findings".to_owned()
            }
            heading => heading,
        };
        (!statements.is_empty()).then_some(CheckedTheme { heading, statements })
    }

    /// Whether a heading has no number but those of the statements under it that hold, and of what was asked. A model
    /// may write any, and no mark is looked for behind a heading.
    fn may_head(&self, heading: &str, statements: &[CheckedStatement]) -> bool {
        if !self.facts.author.is_model || self.headings.iter().any(|given| given == heading) {
            return true;
        }
        let holding = statements.iter().filter(|one| one.support == Support::Supported);
        let parts = self.facts.plan.iter().flat_map(|plan| &plan.parts);
        let asked = parts.map(|part| part.question.clone()).chain([self.facts.question.clone()]);
        let known: Vec<String> = holding.map(|one| one.text.clone()).chain(asked).collect();
        follows(&without_place(heading), &known)
    }

    /// Checks the next statement of the findings, which conclusions may be drawn from.
    pub(super) fn finding(
        &mut self,
        statement: Statement,
        readings: &Readings,
    ) -> Option<CheckedStatement> {
        let checked = self.statement(statement, readings);
        self.premises.note(checked.as_ref());
        checked
    }

    /// A conflict needs two sides: one that lost a side in checking is none.
    pub(super) fn conflict(
        &mut self,
        conflict: Conflict,
        readings: &Readings,
    ) -> Option<Vec<CheckedStatement>> {
        let before = (self.numbers.len(), self.checked);
        let mut statements: Vec<CheckedStatement> =
            conflict.statements.into_iter().filter_map(|s| self.statement(s, readings)).collect();
        let sides = statements.iter().filter(|statement| !statement.form.is_inference());
        let mut sides: Vec<usize> = sides.flat_map(|side| side.cites.clone()).collect();
        sides.sort_unstable();
        sides.dedup();
        if sides.len() < 2 {
            self.numbers.truncate(before.0);
            self.checked = before.1;
            return None;
        }
        // Which side is newer is often what settles it.
        for statement in &mut statements {
            let source = statement.evidence.first().map(|evidence| evidence.source);
            let candidate = self.facts.candidates.iter().find(|c| Some(c.id) == source);
            statement.dated = candidate.and_then(|candidate| candidate.published);
            // A table would leave the days out.
            if let Form::Row { .. } = statement.form {
                statement.form = Form::Prose;
            }
        }
        self.checked.contested |= conflict.on_answer;
        Some(statements)
    }

    /// The sources of a citation that were read and kept, each once.
    fn cited(&self, cites: &[SourceId]) -> Vec<SourceId> {
        let mut kept: Vec<SourceId> = Vec::new();
        for id in cites {
            if self.texts.contains_key(id) && !kept.contains(id) {
                kept.push(*id);
            }
        }
        kept
    }

    fn statement(&mut self, statement: Statement, readings: &Readings) -> Option<CheckedStatement> {
        let Statement { text, cites, form } = self.forms.settle(statement);
        if text.is_empty() || self.checked.statements >= MAX_STATEMENTS {
            return None;
        }
        if let Form::Inference { from } = &form {
            // What the statements speak against does not follow from them.
            let premises = infer::beside(self.premises.texts(from));
            let opposed = SourceIndex::new(premises).decide(&text, readings).opposed;
            return if opposed { None } else { self.premises.conclude(text, from) };
        }
        let cites = self.cited(&cites);
        // A quotation that no cited source has word for word is not printed as one.
        let sources = cites.iter().filter_map(|id| self.texts.get(id));
        let quotable = || sources.map(|source| source.index().quotable());
        let shown = unquoted(&text, &invented(&text, quotable));
        // Cells and times were settled for the text as it was.
        let form = if shown == text { form } else { Form::Prose };
        let check = |id: &SourceId| self.check(*id, &text, &shown, readings);
        let quoted = self.quoted_cells(&form, &text, &cites);
        let mut found: Vec<Found> =
            quoted.unwrap_or_else(|| cites.iter().filter_map(check).collect());
        // A source that says nothing of the kind is no citation, as long as another one remains.
        if found.iter().any(|found| found.check.support != Support::Unsupported) {
            found.retain(|found| found.check.support != Support::Unsupported);
        }
        let checks = || found.iter().map(|found| &found.check);
        let best = checks().max_by(|a, b| a.value.total_cmp(&b.value));
        let support = checks().map(|c| c.support).max().unwrap_or(Support::Unsupported);
        let unverified = support == Support::Unsupported;
        if unverified
            && (self.on == OnUnverified::Drop || found.is_empty() && self.on != OnUnverified::Mark)
        {
            return None;
        }
        let (value, reasons) = match best {
            Some(check) if support == Support::Supported => (check.value, Vec::new()),
            Some(check) => (check.value, check.reasons.clone()),
            None => (0.0, vec!["It cites no source that was read in this run.".to_owned()]),
        };
        let marked_partly = support == Support::Partly && self.on != OnUnverified::Keep;
        if !found.is_empty() {
            self.checked.statements += 1;
            self.checked.verified += usize::from(support == Support::Supported);
            self.checked.partly += usize::from(marked_partly);
        }
        let evidence: Vec<Evidence> = found.iter().map(|found| self.evidence(found)).collect();
        let cites = evidence.iter().map(|e| e.n).collect();
        let marked = unverified && self.on == OnUnverified::Mark;
        Some(CheckedStatement {
            text: shown,
            cites,
            support,
            value,
            evidence,
            reasons,
            marked,
            marked_partly,
            dated: None,
            form,
        })
    }

    /// The sources of a row that is nothing but sentences of theirs: every cell is said word for word by one of them,
    /// which need not be the same one.
    fn quoted_cells(&self, form: &Form, text: &str, cites: &[SourceId]) -> Option<Vec<Found>> {
        let Form::Row { cells, .. } = form else { return None };
        let cells = || cells.iter().filter(|cell| !cell.is_empty());
        let whole = cells().map(String::as_str).collect::<Vec<_>>().join(" ") == text;
        let mut found: Vec<Found> = Vec::new();
        for cell in cells().filter(|_| whole) {
            let says = |id: &SourceId| Some((*id, self.texts.get(id)?.index().says(cell)?));
            let (source, check) = cites.iter().find_map(says)?;
            if found.iter().all(|found| found.source != source) {
                found.push(Found { source, check, by_title: false });
            }
        }
        (!found.is_empty()).then_some(found)
    }

    fn check(
        &self,
        source: SourceId,
        text: &str,
        shown: &str,
        readings: &Readings,
    ) -> Option<Found> {
        let mut check = self.texts.get(&source)?.index().decide(text, readings);
        // What the text under it denies no title supports.
        let by_title =
            check.support != Support::Supported && !check.opposed && self.is_title(source, text);
        if by_title {
            check = titled(text);
        }
        if check.support == Support::Partly
            && let Some(verdict) = self.verdicts.get(&(source, shown.to_owned()))
        {
            check.support = *verdict;
            check.reasons.push("A language model judged this citation.".to_owned());
        }
        Some(Found { source, check, by_title })
    }

    /// Whether a sentence is the title of a source that has one.
    fn is_title(&self, source: SourceId, text: &str) -> bool {
        let plain = |text: &str| sentence::without_citations(text.trim_end_matches('.'));
        let candidate = self.facts.candidates.iter().find(|candidate| candidate.id == source);
        candidate.is_some_and(|c| !text.is_empty() && plain(&c.title) == plain(text))
    }

    fn evidence(&mut self, Found { source, check, by_title }: &Found) -> Evidence {
        let source = *source;
        let n = match self.numbers.iter().position(|id| *id == source) {
            Some(at) => at + 1,
            None => {
                self.numbers.push(source);
                self.numbers.len()
            }
        };
        let passage = check.passage.as_ref();
        // A title has no place in the text.
        let placed = passage.filter(|_| !by_title);
        Evidence {
            n,
            source,
            support: check.support,
            passage: passage.map(|p| p.text.clone()),
            start: placed.map(|p| p.start),
            end: placed.map(|p| p.end),
            page: placed.and_then(|p| p.page),
        }
    }
}

/// A heading without what only numbers the parts of the report: "Part 2", "2. Fines", "Step 2: Ask".
fn without_place(heading: &str) -> String {
    let words: Vec<&str> = heading.split_whitespace().collect();
    let is_place = |at: usize, word: &str| {
        let bare = word.trim_end_matches(['.', ':', ')', ',', ';']);
        let ends = bare.len() < word.len() || at + 1 == words.len();
        ends && bare.parse::<usize>().is_ok_and(|place| place <= MAX_THEMES)
    };
    let kept = words.iter().enumerate().filter(|(at, word)| !is_place(*at, word));
    kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// What a source's title says word for word.
fn titled(text: &str) -> Check {
    let passage = Passage { start: 0, end: text.len(), page: None, text: text.to_owned() };
    Check {
        support: Support::Supported,
        value: 1.0,
        passage: Some(passage),
        reasons: Vec::new(),
        opposed: false,
    }
}
