//! Lines on pages → the file: glyphs, links, rules, page numbers, outline, tags.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target as Jump};
use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use krilla::{Document, SerializeSettings};
use skrifa::{FontRef, MetadataProvider as _};

use super::compose::{Cell, Role, Span, TEXT_WIDTH, Target};
use super::flow::{Begun, LEFT, PAGE, Pages, Place, PlacedLine};
use super::fonts::{Color, Face, Ink, Typesetter};
use super::tag::{LinkTag, Tags};
use crate::assemble::CheckedReport;
use crate::escape::one_line;
use crate::phrases::Phrases;
use crate::wording::running_title;

const FOOTER: Face = Face { serif: false, bold: false, size: 7.5, leading: 1.3 };
const FOOTER_Y: f32 = 800.0;

/// A font as the file embeds it, if it has outlines to embed.
type Fonts = BTreeMap<(u64, u32), Option<Font>>;

/// A link on a page, and its place among the tags.
struct Spot {
    rect: Rect,
    target: Target,
    tag: Option<LinkTag>,
}

/// Draws every page; gives the file and the letters that no font has.
pub(crate) fn draw(
    report: &CheckedReport,
    pages: Pages,
    typesetter: &mut Typesetter,
    settings: SerializeSettings,
) -> Result<(Vec<u8>, BTreeSet<char>), String> {
    let mut document = Document::new_with(settings);
    document.set_metadata(metadata(report));
    let source = |row: &Begun| match row.role {
        Role::Source(n) => Some((n, row.place)),
        _ => None,
    };
    let places: BTreeMap<usize, Place> = pages.rows.iter().filter_map(source).collect();
    let title = running_title(report);
    let count = pages.pages.len();
    let mut pen = Pen::default();
    for (index, content) in pages.pages.into_iter().enumerate() {
        let settings =
            PageSettings::from_wh(PAGE.0, PAGE.1).ok_or("the page has no size".to_owned())?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        surface.start_tagged(furniture(ArtifactType::Layout));
        for y in content.rules {
            rule(&mut surface, y);
        }
        surface.end_tagged();
        let footer = footer(&title, index + 1, count, typesetter);
        for line in content.lines.iter().chain(&footer) {
            if line.of.is_none() {
                surface.start_tagged(furniture(ArtifactType::PaginationOther));
            }
            pen.line(&mut surface, line);
            if line.of.is_none() {
                surface.end_tagged();
            }
        }
        surface.finish();
        for spot in pen.spots.drain(..) {
            if let Some(jump) = jump(&spot.target, &places) {
                let link = LinkAnnotation::new(spot.rect, jump);
                let link = Annotation::new_link(link, Some(words(&spot.target)));
                match spot.tag {
                    Some(tag) => pen.tags.point(tag, page.add_tagged_annotation(link)),
                    None => page.add_annotation(link),
                }
            }
        }
        page.finish();
    }
    document.set_outline(outline(&pages.rows));
    let language = Phrases::of_shape(report.facts()).code();
    document.set_tag_tree(pen.tags.tree(&pages.rows, language));
    let bytes = document.finish().map_err(|error| format!("{error:?}"))?;
    Ok((bytes, pen.missing))
}

fn metadata(report: &CheckedReport) -> Metadata {
    let facts = report.facts();
    let day = facts.asked_at.date();
    let mut metadata = Metadata::new()
        .title(one_line(report.title()))
        .description(one_line(&facts.question))
        .creator("Probity".to_owned())
        .language(Phrases::of_shape(facts).code().to_owned())
        .document_id(facts.run_id.clone().into());
    if let (Ok(year), Ok(month), Ok(day)) =
        (u16::try_from(day.year()), u8::try_from(day.month()), u8::try_from(day.day()))
    {
        metadata = metadata.creation_date(DateTime::new(year).month(month).day(day));
    }
    metadata
}

fn jump(target: &Target, places: &BTreeMap<usize, Place>) -> Option<Jump> {
    Some(match target {
        Target::Web(url) => Jump::Action(Action::Link(LinkAction::new(url.clone()))),
        Target::Source(n) => Jump::Destination(destination(*places.get(n)?).into()),
    })
}

/// Where a link leads, for those who cannot see the text that has it.
fn words(target: &Target) -> String {
    match target {
        Target::Web(url) => url.clone(),
        Target::Source(n) => format!("Source {n}"),
    }
}

/// What a page has that is no part of the text.
fn furniture(kind: ArtifactType) -> ContentTag<'static> {
    ContentTag::Artifact(Artifact::with_kind(kind))
}

fn destination((page, y): Place) -> XyzDestination {
    XyzDestination::new(page, Point::from_xy(LEFT, y - 8.0))
}

fn outline(rows: &[Begun]) -> Outline {
    let mut outline = Outline::new();
    let mut open: Option<OutlineNode> = None;
    for row in rows {
        let Role::Heading(level @ 2..) = row.role else { continue };
        let node = OutlineNode::new(row.text.clone(), destination(row.place));
        match &mut open {
            Some(parent) if level > 2 => parent.push_child(node),
            _ => {
                if let Some(done) = open.replace(node) {
                    outline.push_child(done);
                }
            }
        }
    }
    if let Some(done) = open {
        outline.push_child(done);
    }
    outline
}

fn footer(title: &str, page: usize, of: usize, typesetter: &mut Typesetter) -> [PlacedLine; 2] {
    let mut set = |text: String, x: f32, width: f32, end: bool| {
        let span = Span { text, bold: false, color: Color::Soft, link: None };
        let cell = Cell { x, width, face: FOOTER, end, spans: vec![span] };
        let set = Rc::new(typesetter.set(cell));
        PlacedLine { of: None, set, line: 0, x: LEFT + x, shift: FOOTER_Y }
    };
    let number = format!("{page} / {of}");
    [
        set(title.to_owned(), 0.0, TEXT_WIDTH - 60.0, false),
        set(number, TEXT_WIDTH - 50.0, 50.0, true),
    ]
}

fn rule(surface: &mut Surface<'_>, y: f32) {
    let mut path = PathBuilder::new();
    path.move_to(LEFT, y);
    path.line_to(LEFT + TEXT_WIDTH, y);
    surface.set_fill(None);
    surface.set_stroke(Some(Stroke {
        paint: rgb::Color::new(222, 220, 215).into(),
        width: 0.5,
        ..Stroke::default()
    }));
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
    surface.set_stroke(None);
}

fn color(color: Color) -> rgb::Color {
    match color {
        Color::Ink => rgb::Color::new(27, 27, 26),
        Color::Soft => rgb::Color::new(93, 92, 88),
        Color::Accent => rgb::Color::new(47, 93, 138),
        Color::Warning => rgb::Color::new(179, 103, 42),
    }
}

fn fill(ink: &Ink) -> Fill {
    Fill { paint: color(ink.color).into(), opacity: NormalizedF32::ONE, rule: Default::default() }
}

/// What drawing remembers from line to line.
#[derive(Default)]
struct Pen {
    fonts: Fonts,
    missing: BTreeSet<char>,
    spots: Vec<Spot>,
    tags: Tags,
}

/// Glyphs of one font and ink, on their way to the page.
struct Pending {
    from: f32,
    glyphs: Vec<KrillaGlyph>,
}

impl Pen {
    fn line(&mut self, surface: &mut Surface<'_>, placed: &PlacedLine) {
        let layout = &placed.set.layout;
        let Some(line) = layout.lines().nth(placed.line) else { return };
        let metrics = line.metrics();
        let baseline = metrics.baseline + placed.shift;
        let (top, bottom) =
            (metrics.block_min_coord + placed.shift, metrics.block_max_coord + placed.shift);
        let mut x = placed.x + metrics.offset;
        let plain = Ink::default();
        for run in line.runs() {
            let font = self.font(run.font());
            let size = run.font_size();
            let mut stroke = Pending { from: x, glyphs: Vec::new() };
            let mut ink: &Ink = &plain;
            for cluster in run.visual_clusters() {
                if cluster.is_ligature_continuation() {
                    if let Some(glyph) = stroke.glyphs.last_mut() {
                        glyph.text_range.end = cluster.text_range().end;
                    }
                    continue;
                }
                for glyph in cluster.glyphs() {
                    let style = placed.set.layout.styles().get(glyph.style_index());
                    let next = style.map_or(&plain, |style| &style.brush);
                    if next != ink {
                        self.flush(surface, &mut stroke, &font, placed, (baseline, size), ink, x);
                        ink = next;
                    }
                    if let Some(target) = &next.link {
                        let tag = placed.of.map(|of| self.tags.link(of, target));
                        self.spot((x, top, x + glyph.advance, bottom), target, tag);
                    }
                    if glyph.id == 0 || font.is_none() {
                        self.flush(surface, &mut stroke, &font, placed, (baseline, size), ink, x);
                        if glyph.advance > 0.0 {
                            let text = placed.set.text.get(cluster.text_range());
                            let text = text.unwrap_or_default();
                            // A screen reader gets the letter anyway.
                            let spoken = SpanTag::empty().with_actual_text(Some(text));
                            let tag = ContentTag::Span(spoken);
                            self.tags.mark(surface, placed.of, ink, tag, |surface| {
                                square(surface, x, baseline, glyph.advance, size);
                            });
                            self.missing.extend(text.chars());
                        }
                        x += glyph.advance;
                        stroke.from = x;
                        continue;
                    }
                    stroke.glyphs.push(KrillaGlyph::new(
                        GlyphId::new(glyph.id),
                        glyph.advance / size,
                        glyph.x / size,
                        glyph.y / size,
                        0.0,
                        cluster.text_range(),
                        None,
                    ));
                    x += glyph.advance;
                }
            }
            self.flush(surface, &mut stroke, &font, placed, (baseline, size), ink, x);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one place where a run of glyphs meets the page")]
    fn flush(
        &mut self,
        surface: &mut Surface<'_>,
        stroke: &mut Pending,
        font: &Option<Font>,
        placed: &PlacedLine,
        (baseline, size): (f32, f32),
        ink: &Ink,
        next: f32,
    ) {
        if let Some(font) = font
            && !stroke.glyphs.is_empty()
        {
            surface.set_fill(Some(fill(ink)));
            let at = Point::from_xy(stroke.from, baseline);
            let text = &placed.set.text;
            self.tags.mark(surface, placed.of, ink, ContentTag::Other, |surface| {
                surface.draw_glyphs(at, &stroke.glyphs, font.clone(), text, size, false);
            });
        }
        stroke.glyphs.clear();
        stroke.from = next;
    }

    /// Grows the last link, or begins a new one.
    fn spot(
        &mut self,
        (left, top, right, bottom): (f32, f32, f32, f32),
        target: &Target,
        tag: Option<LinkTag>,
    ) {
        if let Some(last) = self.spots.last_mut()
            && last.target == *target
            && (last.rect.top() - top).abs() < 0.5
            && (last.rect.right() - left).abs() < 0.5
        {
            if let Some(rect) = Rect::from_ltrb(last.rect.left(), top, right, bottom) {
                last.rect = rect;
            }
        } else if let Some(rect) = Rect::from_ltrb(left, top, right, bottom) {
            self.spots.push(Spot { rect, target: target.clone(), tag });
        }
    }

    /// The font for the file; none where it has no outlines, as fonts of pictures do.
    fn font(&mut self, font: &parley::FontData) -> Option<Font> {
        let (data, id) = font.data.clone().into_raw_parts();
        let load = || {
            let known = FontRef::from_index(font.data.as_ref(), font.index).ok()?;
            known.outline_glyphs().format()?;
            Font::new(data.into(), font.index)
        };
        self.fonts.entry((id, font.index)).or_insert_with(load).clone()
    }
}

/// The box that stands for a letter no font has.
fn square(surface: &mut Surface<'_>, x: f32, baseline: f32, advance: f32, size: f32) {
    let mut path = PathBuilder::new();
    let rect = Rect::from_ltrb(x + 0.8, baseline - size * 0.7, x + advance - 0.8, baseline);
    if let Some(rect) = rect {
        path.push_rect(rect);
    }
    surface.set_fill(None);
    surface.set_stroke(Some(Stroke {
        paint: color(Color::Ink).into(),
        width: 0.6,
        ..Stroke::default()
    }));
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
    surface.set_stroke(None);
}
