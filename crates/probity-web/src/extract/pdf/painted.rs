//! What lies under the letters of a page: the areas that are painted before them, dark or light.
//!
//! White letters on a dark bar are a slide's title or a table's head; on the bare page they are hidden. So where a page
//! has white letters, its fills are followed: rectangles and simple shapes, shadings, and forms within forms.

use pdfboss_core::content::{ContentOps, Op};
use pdfboss_core::{
    Dict, Immediate, Matrix, Object, ObjectSource, Page, Point, Rect, block_on, page_content_with,
};

/// The most areas of a page; one with more shows a picture.
const MAX_AREAS: usize = 2_000;
/// The most operators of a page that are followed.
const MAX_OPERATORS: usize = 100_000;
/// The deepest nesting of forms, and of saved states.
const MAX_FORMS: usize = 4;
const MAX_SAVED: usize = 64;
/// A shape of more points than this fills only a part of the rectangle around it.
const MAX_POINTS: usize = 24;
/// White letters can be read on what is at most this light.
const DARK: f32 = 0.75;
/// Paint that lets more through than this covers nothing.
const SOLID: f32 = 0.5;
/// How far, in points, letters may stand out of what is under them.
const OVERHANG: f32 = 3.0;

/// The areas that are painted on a page, in their order.
#[derive(Debug, Default)]
pub(super) struct Painted {
    /// Each with how light it is; none where that cannot be told.
    areas: Vec<(Rect, Option<f32>)>,
}

impl Painted {
    /// Follows the fills of a page; nothing where they cannot be followed to their end.
    pub(super) fn of(source: &impl ObjectSource, page: &Page) -> Self {
        let content = match block_on(page_content_with(Immediate(source), page)) {
            // Letters of a turned page are placed as they are read, not as they are painted.
            Ok(content) if page.rotate == 0 => content,
            _ => return Self::default(),
        };
        let mut painter = Painter { source, areas: Vec::new(), left: MAX_OPERATORS };
        let state = State::new(page.media_box);
        match painter.follow(&content, &page.resources, state, 0) {
            Some(()) => Self { areas: painter.areas },
            None => Self::default(),
        }
    }

    /// Whether white letters in a box can be read: the last that was painted under them is dark.
    pub(super) fn shows_white(&self, letters: Rect) -> bool {
        let letters = letters.normalize();
        let (x, y) = ((letters.x0 + letters.x1) / 2.0, (letters.y0 + letters.y1) / 2.0);
        let under = self.areas.iter().rev().find(|(area, _)| area.contains(Point::new(x, y)));
        under.is_some_and(|(area, light)| {
            let holds = area.x0 - OVERHANG <= letters.x0 && letters.x1 <= area.x1 + OVERHANG;
            holds && light.is_some_and(|light| light <= DARK)
        })
    }
}

/// What fills are made with.
#[derive(Clone, Copy)]
struct State {
    at: Matrix,
    clip: Rect,
    /// How light the paint is; none where that cannot be told.
    light: Option<f32>,
    /// Whether one number says how light it is, and not how much of an ink.
    is_gray: bool,
    /// Whether the paint covers what is under it.
    is_solid: bool,
}

impl State {
    fn new(clip: Rect) -> Self {
        Self { at: Matrix::identity(), clip, light: Some(0.0), is_gray: true, is_solid: true }
    }
}

/// The path so far: the box around it and how many points it has.
#[derive(Clone, Copy, Default)]
struct Path {
    around: Option<Rect>,
    points: usize,
    clips: bool,
}

impl Path {
    fn add(&mut self, rect: Rect, points: usize) {
        self.around = Some(self.around.map_or(rect, |around| around.union(rect)));
        self.points = self.points.saturating_add(points);
    }

    fn point(&mut self, at: Matrix, x: f32, y: f32) {
        let Point { x, y } = at.apply(Point::new(x, y));
        self.add(Rect::new(x, y, x, y), 1);
    }
}

struct Painter<'a, S> {
    source: &'a S,
    areas: Vec<(Rect, Option<f32>)>,
    left: usize,
}

impl<S: ObjectSource> Painter<'_, S> {
    /// Follows a content stream to its end; nothing where a limit came first.
    fn follow(&mut self, content: &[u8], own: &Dict, mut state: State, depth: usize) -> Option<()> {
        let mut ops = ContentOps::new(content);
        let mut saved: Vec<State> = Vec::new();
        let mut path = Path::default();
        while let Some((op, _)) = ops.next_op().ok()? {
            self.left = self.left.checked_sub(1)?;
            match op {
                Op::Save if saved.len() >= MAX_SAVED => return None,
                Op::Save => saved.push(state),
                Op::Restore => state = saved.pop().unwrap_or(state),
                Op::Concat(matrix) => state.at = matrix.concat(state.at),
                Op::SetExtGState(name) => self.set_solid(&mut state, own, &name.0),
                Op::Rect(x, y, width, height) => {
                    let rect = Rect::new(x, y, x + width, y + height);
                    path.add(rect.transform(state.at), 1);
                }
                Op::MoveTo(x, y) | Op::LineTo(x, y) => path.point(state.at, x, y),
                Op::CurveTo(.., x, y) | Op::CurveToV(.., x, y) | Op::CurveToY(.., x, y) => {
                    path.point(state.at, x, y);
                }
                Op::ClipNonZero | Op::ClipEvenOdd => path.clips = true,
                Op::Fill
                | Op::FillEvenOdd
                | Op::FillStroke
                | Op::FillStrokeEvenOdd
                | Op::CloseFillStroke
                | Op::CloseFillStrokeEvenOdd => {
                    let shape = path.around.filter(|_| path.points <= MAX_POINTS);
                    self.fill(shape, &state)?;
                    end_path(&mut path, &mut state);
                }
                Op::EndPath | Op::Stroke | Op::CloseStroke => end_path(&mut path, &mut state),
                Op::XObject(name) => self.draw(own, &name.0, state, depth)?,
                Op::Shading(name) => {
                    let light = self.resource(own, "Shading", &name.0);
                    let light = light.and_then(|shading| self.shading_light(&shading));
                    self.fill(Some(state.clip), &State { light, ..state })?;
                }
                op => self.set_paint(&mut state, own, op),
            }
        }
        Some(())
    }

    fn fill(&mut self, shape: Option<Rect>, state: &State) -> Option<()> {
        let area = shape.and_then(|shape| shape.intersect(state.clip));
        if let Some(area) = area.filter(|_| state.is_solid) {
            self.areas.push((area, state.light));
        }
        (self.areas.len() <= MAX_AREAS).then_some(())
    }

    /// Follows a form, and takes a picture for an area of any lightness.
    fn draw(&mut self, own: &Dict, name: &str, state: State, depth: usize) -> Option<()> {
        let Some(Object::Stream(form)) = self.resource(own, "XObject", name) else {
            return Some(());
        };
        if form.dict.get_name("Subtype").is_none_or(|kind| kind.0 != "Form") {
            let picture = Rect::new(0.0, 0.0, 1.0, 1.0).transform(state.at);
            return self.fill(Some(picture), &State { light: None, ..state });
        }
        if depth >= MAX_FORMS {
            return None;
        }
        let numbers = |key: &str| self.numbers(form.dict.get(key)?);
        let mut inner = state;
        if let Some([a, b, c, d, e, f]) = numbers("Matrix").as_deref() {
            let matrix = Matrix { a: *a, b: *b, c: *c, d: *d, e: *e, f: *f };
            inner.at = matrix.concat(state.at);
        }
        if let Some([x0, y0, x1, y1]) = numbers("BBox").as_deref() {
            let inside = Rect::new(*x0, *y0, *x1, *y1).transform(inner.at);
            // What is cut off entirely paints nothing.
            let Some(clip) = inside.intersect(state.clip) else { return Some(()) };
            inner.clip = clip;
        }
        let content = self.source.stream_data(&form).ok()?;
        let resources = form.dict.get("Resources").and_then(|own| self.resolved(own));
        match resources {
            Some(Object::Dict(resources)) => self.follow(&content, &resources, inner, depth + 1),
            _ => self.follow(&content, own, inner, depth + 1),
        }
    }

    fn set_paint(&self, state: &mut State, own: &Dict, op: Op) {
        state.light = match op {
            Op::SetFillGray(gray) => Some(gray),
            Op::SetFillRGB(r, g, b) => light(&[r, g, b]),
            Op::SetFillCMYK(c, m, y, k) => light(&[c, m, y, k]),
            Op::SetFillColorSpace(name) => {
                state.is_gray = self.is_gray(own, &name.0);
                state.is_gray.then_some(0.0)
            }
            Op::SetFillColor(paint) | Op::SetFillColorN(paint, None) => {
                light(&paint).filter(|_| paint.len() > 1 || state.is_gray)
            }
            Op::SetFillColorN(_, Some(pattern)) => {
                let pattern = self.resource(own, "Pattern", &pattern.0);
                let shading =
                    pattern.as_ref().and_then(|pattern| pattern.as_dict()?.get("Shading"));
                shading.and_then(|shading| self.shading_light(&self.resolved(shading)?))
            }
            _ => return,
        };
    }

    fn set_solid(&self, state: &mut State, own: &Dict, name: &str) {
        let Some(Object::Dict(set)) = self.resource(own, "ExtGState", name) else { return };
        let opacity = set.get_f64("ca").map(|opacity| opacity as f32);
        let mask = set.get("SMask").map(|mask| mask.as_name().is_some_and(|none| none.0 == "None"));
        if opacity.is_some() || mask.is_some() {
            state.is_solid = opacity.unwrap_or(1.0) >= SOLID && mask.unwrap_or(true);
        }
    }

    /// Whether a colour space has one number that says how light it is.
    fn is_gray(&self, own: &Dict, name: &str) -> bool {
        if matches!(name, "DeviceGray" | "G" | "CalGray") {
            return true;
        }
        let space = self.resource(own, "ColorSpace", name);
        let kind = space.as_ref().and_then(|space| space.as_array()?.first()?.as_name());
        kind.is_some_and(|kind| matches!(kind.0.as_str(), "ICCBased" | "CalGray"))
    }

    /// How light the lightest end of a shading is.
    fn shading_light(&self, shading: &Object) -> Option<f32> {
        let shading = shading.as_dict()?;
        self.function_light(&self.resolved(shading.get("Function")?)?, 0)
    }

    fn function_light(&self, function: &Object, depth: usize) -> Option<f32> {
        let function = function.as_dict()?;
        if depth > MAX_FORMS {
            return None;
        }
        if let Some(parts) = function.get("Functions").and_then(|parts| self.resolved(parts)) {
            let parts = parts.as_array()?.iter().take(MAX_POINTS);
            let lights = parts.map(|part| self.function_light(&self.resolved(part)?, depth + 1));
            return lights.reduce(|one, other| Some(one?.max(other?)))?;
        }
        let end = |key: &str| light(&self.numbers(function.get(key)?)?);
        Some(end("C0")?.max(end("C1")?))
    }

    fn resource(&self, own: &Dict, kind: &str, name: &str) -> Option<Object> {
        let all = self.resolved(own.get(kind)?)?;
        self.resolved(all.as_dict()?.get(name)?)
    }

    fn resolved(&self, object: &Object) -> Option<Object> {
        match object.as_ref() {
            Some(at) => self.source.get(at).ok(),
            None => Some(object.clone()),
        }
    }

    fn numbers(&self, object: &Object) -> Option<Vec<f32>> {
        let list = self.resolved(object)?;
        let number = |item: &Object| Some(self.resolved(item)?.as_f64()? as f32);
        list.as_array()?.iter().take(MAX_POINTS).map(number).collect()
    }
}

/// Ends a path, which may have been one to cut off what is painted outside of it.
fn end_path(path: &mut Path, state: &mut State) {
    let Path { around, clips, .. } = std::mem::take(path);
    if let Some(around) = around.filter(|_| clips) {
        state.clip = around.intersect(state.clip).unwrap_or_default();
    }
}

/// How light a colour of one, three or four numbers is.
fn light(paint: &[f32]) -> Option<f32> {
    let of = |r: f32, g: f32, b: f32| 0.3 * r + 0.59 * g + 0.11 * b;
    match paint {
        [gray] => Some(*gray),
        [r, g, b] => Some(of(*r, *g, *b)),
        [c, m, y, k] => Some(of(1.0 - c, 1.0 - m, 1.0 - y) * (1.0 - k)),
        _ => None,
    }
}
