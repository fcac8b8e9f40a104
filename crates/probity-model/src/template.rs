//! Templates of prompts: `{{ a.b }}`, `{% for x in a.b %}…{% endfor %}`, `{% if a.b %}…{% else %}…{% endif %}`,
//! and `{{ loop.index }}` for the number of a turn, from 1.
//!
//! A name that is not given is a fault and not an empty text. Prompts are our own files, so nothing here is
//! prepared for hostile templates; what is put into them is escaped.

use serde_json::Value;

use crate::untrusted::escape;

/// A prompt that was read.
#[derive(Debug)]
pub(crate) struct Template(Vec<Node>);

#[derive(Debug)]
enum Node {
    Text(&'static str),
    Value(&'static str),
    For { name: &'static str, list: &'static str, body: Vec<Node> },
    If { of: &'static str, then: Vec<Node>, otherwise: Vec<Node> },
}

/// What the names in a template stand for.
struct Scope<'a> {
    /// What was given.
    values: &'a Value,
    /// Texts of our own, which go in as they are.
    ours: &'a [(&'a str, &'a str)],
    /// The turns of loops around here, innermost last: name, value, number.
    turns: Vec<(&'static str, &'a Value, usize)>,
}

impl Template {
    /// Reads a template.
    pub(crate) fn parse(text: &'static str) -> Result<Self, String> {
        let mut rest = text;
        match block(&mut rest)? {
            (nodes, None) => Ok(Self(nodes)),
            (_, Some(end)) => Err(format!("`{end}` ends nothing")),
        }
    }

    /// Writes it out with what is given. `ours` are texts of our own by name; everything else is escaped.
    pub(crate) fn render(&self, values: &Value, ours: &[(&str, &str)]) -> Result<String, String> {
        let mut out = String::new();
        let mut scope = Scope { values, ours, turns: Vec::new() };
        scope.write(&self.0, &mut out)?;
        Ok(out)
    }
}

/// The nodes up to the tag that ends them, and that tag.
fn block(rest: &mut &'static str) -> Result<(Vec<Node>, Option<&'static str>), String> {
    let mut nodes = Vec::new();
    loop {
        let tag = rest.find("{{").into_iter().chain(rest.find("{%")).min();
        let Some((text, tag)) = tag.and_then(|at| rest.split_at_checked(at)) else {
            nodes.push(Node::Text(std::mem::take(rest)));
            return Ok((nodes, None));
        };
        nodes.push(Node::Text(text));
        if let Some(value) = tag.strip_prefix("{{") {
            let (name, after) = value.split_once("}}").ok_or("`{{` without `}}`")?;
            *rest = after;
            nodes.push(Node::Value(name.trim()));
            continue;
        }
        let (inside, after) =
            tag.trim_start_matches("{%").split_once("%}").ok_or("`{%` without `%}`")?;
        *rest = after;
        let words: Vec<&'static str> = inside.split_whitespace().collect();
        match words.as_slice() {
            ["for", name, "in", list] => {
                let body = ended(rest, "endfor")?;
                nodes.push(Node::For { name, list, body });
            }
            ["if", of] => {
                let (then, end) = block(rest)?;
                let otherwise = match end {
                    Some("else") => ended(rest, "endif")?,
                    Some("endif") => Vec::new(),
                    _ => return Err(format!("`if {of}` is not ended")),
                };
                nodes.push(Node::If { of, then, otherwise });
            }
            [end @ ("else" | "endif" | "endfor")] => return Ok((nodes, Some(end))),
            _ => return Err(format!("`{}` is not understood", inside.trim())),
        }
    }
}

fn ended(rest: &mut &'static str, by: &str) -> Result<Vec<Node>, String> {
    match block(rest)? {
        (nodes, Some(end)) if end == by => Ok(nodes),
        _ => Err(format!("`{by}` is missing")),
    }
}

impl<'a> Scope<'a> {
    fn write(&mut self, nodes: &[Node], out: &mut String) -> Result<(), String> {
        for node in nodes {
            match node {
                Node::Text(text) => out.push_str(text),
                Node::Value(name) => self.write_value(name, out)?,
                Node::If { of, then, otherwise } => {
                    let branch = if is_true(self.get(of)?) { then } else { otherwise };
                    self.write(branch, out)?;
                }
                Node::For { name, list, body } => {
                    let Value::Array(items) = self.get(list)? else {
                        return Err(format!("`{list}` is not a list"));
                    };
                    for (place, item) in items.iter().enumerate() {
                        self.turns.push((name, item, place + 1));
                        self.write(body, out)?;
                        self.turns.pop();
                    }
                }
            }
        }
        Ok(())
    }

    fn write_value(&self, name: &str, out: &mut String) -> Result<(), String> {
        if let Some((_, text)) = self.ours.iter().find(|(ours, _)| *ours == name) {
            out.push_str(text);
            return Ok(());
        }
        if let ("loop.index", Some((_, _, number))) = (name, self.turns.last()) {
            out.push_str(&number.to_string());
            return Ok(());
        }
        match self.get(name)? {
            Value::String(text) => out.push_str(&escape(text)),
            Value::Number(number) => out.push_str(&number.to_string()),
            Value::Bool(is) => out.push_str(&is.to_string()),
            Value::Null => out.push_str("none"),
            Value::Array(_) | Value::Object(_) => return Err(format!("`{name}` is not a text")),
        }
        Ok(())
    }

    /// What a name with its fields stands for.
    fn get(&self, path: &str) -> Result<&'a Value, String> {
        let missing = || format!("`{path}` is not given");
        let mut names = path.split('.');
        let first = names.next().unwrap_or_default();
        let turn = self.turns.iter().rev().find(|(name, _, _)| *name == first);
        let value = turn.map(|(_, value, _)| *value).or_else(|| self.values.get(first));
        names
            .try_fold(value.ok_or_else(missing)?, |value, name| value.get(name).ok_or_else(missing))
    }
}

/// Whether a value counts as given: not nothing, not empty, not zero.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(template: &'static str, values: Value) -> Result<String, String> {
        Template::parse(template)?.render(&values, &[("mark", "<ours>")])
    }

    #[test]
    fn loops_and_conditions_nest() {
        let template = "{% for a in list %}{{ loop.index }}. {{ a.name }}{% if a.more %}:{% for b in a.more %} \
                        {{ b }}{{ loop.index }}{% endfor %}{% else %}, nothing{% endif %}\n{% endfor %}{{ n }}";
        let list = json!([{"name": "x", "more": ["p", "q"]}, {"name": "y", "more": []}]);
        assert_eq!(
            written(template, json!({"list": list, "n": 1.5})).unwrap(),
            "1. x: p1 q2\n2. y, nothing\n1.5"
        );
    }

    #[test]
    fn only_our_own_texts_go_in_as_they_are() {
        let given = json!({"mark": "theirs", "text": "<data> & {{ mark }}"});
        assert_eq!(
            written("{{ mark }} {{ text }}", given).unwrap(),
            "<ours> &lt;data&gt; &amp; {{ mark }}"
        );
    }

    #[test]
    fn what_is_not_given_or_not_closed_is_a_fault() {
        let given = || json!({"list": [1], "text": "a"});
        for template in [
            "{{ other }}",
            "{{ text.part }}",
            "{{ list }}",
            "{% if other %}{% endif %}",
            "{% for a in text %}{% endfor %}",
            "{{ text",
            "{% if text %}",
            "{% endfor %}",
            "{% if text %}{% endfor %}",
            "{% while text %}",
        ] {
            assert!(written(template, given()).is_err(), "{template}");
        }
    }
}
