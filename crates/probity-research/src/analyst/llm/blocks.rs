//! The statements of a section: sentences, entries of lists and timelines, rows, quotations and conclusions.

use probity_model::schema::{list, object, one_of, string};
use probity_report::draft::{Form, Statement};
use serde::Deserialize;
use serde_json::Value;

use super::read::Cited;

/// The forms that a statement may have, in the words of the prompt.
const FORMS: [&str; 7] = ["sentence", "item", "step", "row", "time", "quote", "inference"];
/// The most statements of one section that are taken over.
const STATEMENTS: usize = 60;
/// The most statements that a conclusion is drawn from.
const PREMISES: usize = 8;

pub(super) fn schema() -> Value {
    let statement = object(&[
        ("form", one_of(&FORMS, "how it is shown")),
        ("text", string("one sentence")),
        ("facts", list(string("F1"), "the labels of its facts")),
        ("detail", string("cells, date or numbers where the form has some, else empty")),
    ]);
    list(statement, "statements")
}

/// A statement as a model gives it.
#[derive(Debug, Deserialize)]
pub(super) struct ReadStatement {
    form: String,
    text: String,
    facts: Vec<String>,
    detail: String,
}

/// The statements that rest on something that was shown. A conclusion counts those of the section, from 0.
pub(super) fn statements(read: &[ReadStatement], cited: &Cited<'_>) -> Vec<Statement> {
    let mut kept: Vec<Statement> = Vec::new();
    // Where the statements that the model counts have come to stand.
    let mut places: Vec<Option<usize>> = Vec::new();
    for one in read.iter().take(STATEMENTS) {
        let statement = statement(one, cited, &places);
        places.push(statement.is_some().then_some(kept.len()));
        kept.extend(statement);
    }
    without_lone_items(gathered(kept))
}

/// Rows of one table and entries of the timeline next to the first of them: models scatter them between sentences,
/// and each would be a table or a timeline of its own. Everything else keeps its order, and conclusions keep pointing
/// at what they were drawn from.
fn gathered(statements: Vec<Statement>) -> Vec<Statement> {
    let forms: Vec<&Form> = statements.iter().map(|statement| &statement.form).collect();
    let first = |at: usize, form: &Form| {
        let earlier = forms.iter().take(at).position(|earlier| belong(earlier, form));
        earlier.unwrap_or(at)
    };
    let mut order: Vec<(usize, usize)> =
        forms.iter().enumerate().map(|(at, form)| (first(at, form), at)).collect();
    order.sort_unstable();
    let mut places = vec![0; order.len()];
    for (place, (_, was)) in order.iter().enumerate() {
        if let Some(known) = places.get_mut(*was) {
            *known = place;
        }
    }
    let mut placed: Vec<(usize, Statement)> = places.iter().copied().zip(statements).collect();
    placed.sort_by_key(|(place, _)| *place);
    for (_, statement) in &mut placed {
        if let Form::Inference { from } = &mut statement.form {
            from.iter_mut().for_each(|was| *was = places.get(*was).copied().unwrap_or(*was));
        }
    }
    placed.into_iter().map(|(_, statement)| statement).collect()
}

/// A list of one is a sentence: models sprinkle entries between sentences, and each would be a bullet by itself.
fn without_lone_items(mut statements: Vec<Statement>) -> Vec<Statement> {
    let kind = |statement: &Statement| match statement.form {
        Form::Item { ordered } => Some(ordered),
        _ => None,
    };
    let kinds: Vec<Option<bool>> = statements.iter().map(kind).collect();
    let of = |at: Option<usize>| at.and_then(|at| kinds.get(at).copied().flatten());
    for (at, statement) in statements.iter_mut().enumerate() {
        let own = of(Some(at));
        if own.is_some() && of(at.checked_sub(1)) != own && of(at.checked_add(1)) != own {
            statement.form = Form::Prose;
        }
    }
    statements
}

/// Whether two statements are shown as one table or one timeline.
fn belong(one: &Form, other: &Form) -> bool {
    match (one, other) {
        (Form::Row { columns, .. }, Form::Row { columns: others, .. }) => columns == others,
        (Form::Entry { .. }, Form::Entry { .. }) => true,
        _ => false,
    }
}

fn statement(
    read: &ReadStatement,
    cited: &Cited<'_>,
    places: &[Option<usize>],
) -> Option<Statement> {
    let cites = cited.sources(&read.facts);
    let text = cited.sentence(&read.text, &cites);
    if read.form == "inference" {
        let from = premises(&read.detail, places);
        let drawn = !text.is_empty() && !from.is_empty();
        return drawn.then(|| Statement {
            text,
            cites: Vec::new(),
            form: Form::Inference { from },
        });
    }
    // A sentence that rests on nothing that was read is not written.
    if text.is_empty() || cites.is_empty() {
        return None;
    }
    let detail = cited.sentence(&read.detail, &cites);
    let (form, text) = match read.form.as_str() {
        "item" => (Form::Item { ordered: false }, text),
        "step" => (Form::Item { ordered: true }, text),
        "quote" => (Form::Quote, text),
        "time" if !detail.is_empty() => (Form::Entry { when: detail }, text),
        "row" => row(&detail, text),
        _ => (Form::Prose, text),
    };
    Some(Statement { text, cites, form })
}

/// A row by its cells. The text of a cell is checked, so where the sentence leaves a cell out, the cells are the
/// sentence.
fn row(detail: &str, text: String) -> (Form, String) {
    let cells: Option<Vec<(&str, &str)>> =
        detail.split('|').map(|cell| cell.split_once(':')).collect();
    let Some(cells) = cells.filter(|cells| cells.len() > 1) else { return (Form::Prose, text) };
    let whole = cells.iter().all(|(_, cell)| text.contains(cell.trim()));
    let text = match whole {
        true => text,
        false => {
            let named =
                cells.iter().map(|(name, cell)| format!("{}: {}", name.trim(), cell.trim()));
            named.collect::<Vec<_>>().join(" · ")
        }
    };
    let (columns, cells) =
        cells.into_iter().map(|(n, c)| (n.trim().to_owned(), c.trim().to_owned())).unzip();
    (Form::Row { columns, cells }, text)
}

/// The statements that a conclusion is drawn from; none if it names one that does not stand before it.
fn premises(detail: &str, places: &[Option<usize>]) -> Vec<usize> {
    let numbers = detail.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let place = |digits: &str| {
        let number: usize = digits.parse().ok()?;
        places.get(number.checked_sub(1)?).copied().flatten()
    };
    numbers.take(PREMISES).map(place).collect::<Option<Vec<_>>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_one_is_a_sentence() {
        let item = |ordered| Form::Item { ordered };
        let forms = |forms: Vec<Form>| -> Vec<Form> {
            let statement = |form| Statement { form, ..Statement::default() };
            let left = without_lone_items(forms.into_iter().map(statement).collect());
            left.into_iter().map(|statement| statement.form).collect()
        };
        let list = vec![item(false), item(false), Form::Prose, item(true), item(true)];
        assert_eq!(forms(list.clone()), list);
        let lone = vec![item(false), Form::Prose, item(true), item(false)];
        assert_eq!(forms(lone), vec![Form::Prose; 4]);
    }

    #[test]
    fn scattered_rows_and_entries_are_one_table_and_one_timeline() {
        let statement =
            |text: &str, form: Form| Statement { text: text.to_owned(), cites: Vec::new(), form };
        let row = |columns: [&str; 2]| Form::Row {
            columns: columns.map(str::to_owned).to_vec(),
            cells: vec!["1".to_owned(), "2".to_owned()],
        };
        let entry = || Form::Entry { when: "2024".to_owned() };
        let statements = vec![
            statement("a", Form::Prose),
            statement("fine 1", row(["Place", "Fine"])),
            statement("b", Form::Prose),
            statement("time 1", entry()),
            statement("fine 2", row(["Place", "Fine"])),
            statement("other", row(["Place", "Hour"])),
            statement("so", Form::Inference { from: vec![2, 4] }),
            statement("time 2", entry()),
            statement("fine 3", row(["Place", "Fine"])),
        ];
        let gathered = gathered(statements);
        let texts: Vec<&str> = gathered.iter().map(|one| one.text.as_str()).collect();
        let expected = ["a", "fine 1", "fine 2", "fine 3", "b", "time 1", "time 2", "other", "so"];
        assert_eq!(texts, expected);
        let drawn = gathered.iter().find_map(|one| match &one.form {
            Form::Inference { from } => Some(from.clone()),
            _ => None,
        });
        assert_eq!(drawn, Some(vec![4, 2]), "still drawn from b and the second fine");
    }
}
