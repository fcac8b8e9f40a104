//! Which parts of a page its readers never see.
//!
//! What is hidden from people is hidden from the text too: a page must not be able to tell a
//! program something that it does not tell its readers.

use std::collections::HashMap;

use super::names::{Hints, NameReader};
use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};

/// How much of a page's own style sheets is read for rules that hide.
const MAX_STYLE_BYTES: usize = 2 * 1024 * 1024;
/// The most declarations that are read of one rule or inline style.
const MAX_DECLARATIONS: usize = 100;
/// A part of the page that fades in when a script runs is text, not a hiding place, when it holds
/// at least this share (in percent) of all text.
const FADE_IN_PERCENT: u64 = 30;

/// The hints of every element, and whether a reader sees it.
pub(crate) struct Visible {
    /// What names say.
    pub(crate) hints: NodeMap<Hints>,
    /// Never shown, with all that is in it.
    pub(crate) hidden: NodeMap<bool>,
}

/// Finds what is hidden by element, attribute, inline style, the page's own style sheet, or a
/// class that style sheets commonly hide.
pub(crate) fn find_hidden(tree: &Tree) -> Visible {
    let sheet = Sheet::read(tree);
    let mut visible = Visible { hints: NodeMap::new(tree), hidden: NodeMap::new(tree) };
    let mut names = NameReader::default();
    let text = TextBefore::count(tree);
    let mut skip_to = NodeId::ROOT;
    for id in tree.ids() {
        let tag = tree.tag(id);
        if tag == Tag::Text || id < skip_to {
            continue;
        }
        let hints = names.hints(tree, id);
        *visible.hints.get_mut(id) = hints;
        if tag == Tag::Body || tag == Tag::Html {
            continue;
        }
        if tag.is_never_text()
            || is_hidden(tree, id, hints, &text)
            || is_sign(tree, id)
            || sheet.hides(tree, id)
        {
            visible.hidden.fill(tree, id, true);
            skip_to = tree.end(id);
        }
    }
    visible
}

/// Whether a part holds little of the page's text.
fn is_small(tree: &Tree, id: NodeId, text: &TextBefore) -> bool {
    let part = u64::from(text.within(tree, id));
    part * 100 < u64::from(text.within(tree, NodeId::ROOT)) * FADE_IN_PERCENT
}

/// How many bytes of text stand before each node, scripts and styles left out.
struct TextBefore(NodeMap<u32>);

impl TextBefore {
    fn count(tree: &Tree) -> TextBefore {
        let mut before: NodeMap<u32> = NodeMap::new(tree);
        let mut sum = 0_u32;
        for id in tree.ids() {
            *before.get_mut(id) = sum;
            if tree.tag(id) == Tag::Text && !tree.tag(tree.parent(id)).is_never_text() {
                let bytes = tree.text(id).trim().len();
                sum = sum.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX));
            }
        }
        // What no node has is the sum of all.
        before.set_default(sum);
        TextBefore(before)
    }

    fn within(&self, tree: &Tree, id: NodeId) -> u32 {
        self.0.get(tree.end(id)).saturating_sub(self.0.get(id))
    }
}

/// Whether a link is only a sign that leads to a place on the same page, such as the `¶` behind a heading.
fn is_sign(tree: &Tree, id: NodeId) -> bool {
    let inside = tree.tag(id) == Tag::A
        && tree.attr(id, Attr::Href).is_some_and(|href| href.trim_start().starts_with('#'));
    let mut texts = tree.subtree(id).filter(|one| tree.tag(*one) == Tag::Text);
    inside && !texts.any(|one| tree.text(one).contains(char::is_alphanumeric))
}

fn is_hidden(tree: &Tree, id: NodeId, hints: Hints, text: &TextBefore) -> bool {
    if !tree.has_attrs(id) {
        return tree.tag(id) == Tag::Dialog;
    }
    let tag = tree.tag(id);
    if tree.attr(id, Attr::Hidden).is_some_and(|value| !value.eq_ignore_ascii_case("false"))
        || (tag == Tag::Dialog && tree.attr(id, Attr::Open).is_none())
        || tree.attr(id, Attr::AriaHidden).is_some_and(|v| v.trim().eq_ignore_ascii_case("true"))
    {
        return true;
    }
    if let Some(style) = tree.attr(id, Attr::Style) {
        let style = declared(style);
        if style.hides() || (style.faded && is_small(tree, id, text)) {
            return true;
        }
    }
    hints.any(Hints::HIDDEN) && !hints.any(Hints::BODY.or(Hints::SHOWN))
}

/// What an inline style says about being seen.
fn declared(style: &str) -> Declared {
    let style = style.to_ascii_lowercase();
    let mut declared = Declared::default();
    for declaration in style.split(';').take(MAX_DECLARATIONS) {
        if let Some((property, value)) = declaration.split_once(':') {
            declared.read(property.trim(), value.trim().trim_end_matches("!important").trim());
        }
    }
    declared
}

/// What a block of declarations says about being seen.
#[derive(Default)]
struct Declared {
    gone: bool,
    faded: bool,
    no_width: bool,
    no_height: bool,
    clipped: bool,
    colour: Option<String>,
    background: Option<String>,
}

impl Declared {
    fn read(&mut self, property: &str, value: &str) {
        match property {
            "display" => self.gone |= value == "none",
            "visibility" => self.gone |= matches!(value, "hidden" | "collapse"),
            "opacity" => self.faded |= value.parse::<f32>().is_ok_and(|opacity| opacity <= 0.01),
            "font-size" => self.gone |= length(value).is_some_and(|size| size < 1.0),
            "width" | "max-width" => self.no_width |= is_tiny(value),
            "height" | "max-height" => self.no_height |= is_tiny(value),
            "overflow" => self.clipped |= value == "hidden",
            "left" | "top" | "right" | "text-indent" | "margin-left" | "margin-top" => {
                self.gone |= length(value).is_some_and(|at| at <= -900.0);
            }
            "clip" => self.gone |= value.starts_with("rect(0") || value.starts_with("rect(1px"),
            "clip-path" => {
                self.gone |= value.starts_with("inset(50%") || value.starts_with("inset(100%")
            }
            "transform" => self.gone |= matches!(value, "scale(0)" | "scale(0,0)" | "scale(0, 0)"),
            "color" => {
                self.gone |= value == "transparent";
                self.colour = Some(colour(value));
            }
            "background" | "background-color" => self.background = Some(colour(value)),
            _ => {}
        }
    }

    fn hides(&self) -> bool {
        self.gone
            || (self.no_width && self.no_height)
            || (self.clipped && (self.no_width || self.no_height))
            || (self.colour.is_some() && self.colour == self.background)
    }
}

/// A length in CSS as a plain number; units that differ by a small factor are taken alike.
fn length(value: &str) -> Option<f32> {
    let number: String =
        value.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '+')).collect();
    let unit = value.get(number.len()..)?.trim();
    let factor = match unit {
        "" | "px" | "pt" => 1.0,
        "em" | "rem" | "ex" | "ch" => 16.0,
        "%" | "vw" | "vh" => 10.0,
        _ => return None,
    };
    number.parse::<f32>().ok().map(|number| number * factor)
}

fn is_tiny(value: &str) -> bool {
    length(value).is_some_and(|size| (0.0..=1.0).contains(&size))
}

/// The common spellings of white and black in one form; others as they are.
fn colour(value: &str) -> String {
    match value {
        "#fff" | "#ffffff" | "white" | "rgb(255,255,255)" | "rgb(255, 255, 255)" => "white",
        "#000" | "#000000" | "black" | "rgb(0,0,0)" | "rgb(0, 0, 0)" => "black",
        other => other,
    }
    .to_owned()
}

/// What a selector of one class or id does.
#[derive(Default, Clone, Copy)]
struct Rule {
    hides: bool,
    shows: bool,
}

/// The rules of a page's own style sheets that hide a class or id.
#[derive(Default)]
struct Sheet {
    rules: HashMap<String, Rule>,
}

impl Sheet {
    fn read(tree: &Tree) -> Sheet {
        let mut sheet = Sheet::default();
        let mut read = 0;
        for id in tree.ids().filter(|id| tree.tag(*id) == Tag::Style) {
            let css = tree.text(id.following());
            read += css.len();
            if read > MAX_STYLE_BYTES {
                break;
            }
            if css.contains("none") || css.contains("hidden") || css.contains(":0") {
                sheet.add(css);
            }
        }
        sheet.rules.retain(|_, rule| rule.hides && !rule.shows);
        sheet
    }

    /// Adds the rules of a sheet. Those in `@media` and the like count only as showing: they apply
    /// at times, and hiding on a phone or in print says nothing.
    fn add(&mut self, css: &str) {
        let mut depth = 0_usize;
        let mut conditional = false;
        let mut selector_start = 0;
        for (at, c) in css.char_indices() {
            match c {
                '{' => {
                    let selector = css.get(selector_start..at).unwrap_or_default().trim();
                    if selector.starts_with('@') {
                        conditional = true;
                    } else {
                        let body = css.get(at.saturating_add(1)..).unwrap_or_default();
                        let body = body.split_once('}').map_or(body, |(body, _)| body);
                        self.add_rule(selector, body, conditional);
                    }
                    depth = depth.saturating_add(1);
                    selector_start = at.saturating_add(1);
                }
                '}' => {
                    depth = depth.saturating_sub(1);
                    conditional &= depth > 0;
                    selector_start = at.saturating_add(1);
                }
                ';' if depth == 0 => selector_start = at.saturating_add(1),
                _ => {}
            }
        }
    }

    fn add_rule(&mut self, selectors: &str, body: &str, conditional: bool) {
        let hides = declared(body).hides();
        let shows = !hides && body.contains("display");
        if !(hides || shows) {
            return;
        }
        for selector in selectors.split(',').map(str::trim) {
            let Some(name) = simple_name(selector) else { continue };
            let rule = self.rules.entry(name.to_owned()).or_default();
            rule.hides |= hides && !conditional;
            rule.shows |= shows;
        }
    }

    fn hides(&self, tree: &Tree, id: NodeId) -> bool {
        if self.rules.is_empty() || !tree.has_attrs(id) {
            return false;
        }
        let class_hides = tree.attr(id, Attr::Class).is_some_and(|classes| {
            classes
                .split_ascii_whitespace()
                .any(|class| self.rules.contains_key(&format!(".{class}")))
        });
        class_hides
            || tree
                .attr(id, Attr::Id)
                .is_some_and(|name| self.rules.contains_key(&format!("#{}", name.trim())))
    }
}

/// The selector, if it is one class or id without conditions.
fn simple_name(selector: &str) -> Option<&str> {
    let name = selector.strip_prefix(['.', '#'])?;
    let plain =
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    plain.then_some(selector)
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    fn seen(html: &str) -> String {
        let tree = parse(html);
        let visible = find_hidden(&tree);
        tree.ids()
            .filter(|id| !visible.hidden.get(*id))
            .map(|id| tree.text(id))
            .collect::<String>()
            .trim()
            .to_owned()
    }

    #[test]
    fn whatever_hides_text_from_readers_hides_it_here() {
        for hiding in [
            r#"<p hidden>X</p>"#,
            r#"<p aria-hidden="true">X</p>"#,
            r#"<p style="DISPLAY : none !important">X</p>"#,
            r#"<p style="visibility:hidden">X</p>"#,
            r#"<span style="font-size:0">X</span>"#,
            r#"<span style="font-size: 0.1px">X</span>"#,
            r#"<div style="width:0;height:0;overflow:hidden"><p>X</p></div>"#,
            r#"<div style="height:1px; overflow:hidden">X</div>"#,
            r#"<div style="position:absolute;left:-9999px">X</div>"#,
            r#"<div style="text-indent:-999em">X</div>"#,
            r#"<div style="opacity:0">X</div>"#,
            r#"<div style="color:#fff;background:white">X</div>"#,
            r#"<div style="clip:rect(0 0 0 0)">X</div>"#,
            r#"<div class="sr-only">X</div>"#,
            r#"<noscript>X</noscript>"#,
            r#"<template><p>X</p></template>"#,
            r#"<!-- X -->"#,
            r#"<script>X</script><style>X</style>"#,
            r#"<style>.q1{color:red;display:none}</style><p class="a q1">X</p>"#,
            r#"<style>@import "x"; #inj { font-size:0 }</style><p id="inj">X</p>"#,
            r##"<a href="#top">¶</a>"##,
            r##"<a href="#note"><b>↩</b></a>"##,
        ] {
            assert_eq!(
                seen(&format!("<body>aaaa {hiding} b</body>")).replace(' ', ""),
                "aaaab",
                "{hiding}"
            );
        }
    }

    #[test]
    fn what_only_looks_like_hiding_stays() {
        for shown in [
            r#"<p style="display:block">X</p>"#,
            r#"<p hidden="false">X</p>"#,
            r#"<p style="opacity:0.9;font-size:12px">X</p>"#,
            r#"<p style="overflow:hidden;height:auto">X</p>"#,
            r#"<style>@media print{.np{display:none}}</style><p class="np">X</p>"#,
            r#"<style>.js .z{display:none} .y{display:none} .y{display:block}</style><p class="y z">X</p>"#,
            r#"<details><summary>X</summary></details>"#,
            r##"<a href="#note">X</a>"##,
            r##"<a href="#note">¹<i>X</i></a>"##,
        ] {
            assert!(seen(&format!("<body>a {shown} b</body>")).contains('X'), "{shown}");
        }
    }
}
