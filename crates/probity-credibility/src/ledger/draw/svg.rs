//! The step line as a standalone SVG: no script, no style sheet, no font of its own.

use std::fmt::Write as _;

use probity_core::{Band, printable};

use super::History;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 784.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 280.0;
/// More events than this get no mark of their own: the marks would hide the line.
const MARKS_MAX: usize = 200;

impl History {
    /// The picture as an SVG document. Every text in it is escaped.
    pub fn svg(&self) -> String {
        let mut svg = String::with_capacity(4096);
        // Writing to a String cannot fail.
        let _ = self.write(&mut svg);
        svg
    }

    fn write(&self, svg: &mut String) -> std::fmt::Result {
        let title = escape(&format!("Credibility of {}", self.outlet));
        let end = self.scores().last().unwrap_or(self.start);
        let events = self.steps.len();
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="title desc" font-family="sans-serif" font-size="12">"#
        )?;
        writeln!(svg, r#"<title id="title">{title}</title>"#)?;
        writeln!(
            svg,
            r#"<desc id="desc">From {:.3} to {end:.3} in {events} events.</desc>"#,
            self.start
        )?;
        writeln!(svg, r##"<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>"##)?;
        writeln!(svg, r##"<text x="{LEFT}" y="24" font-size="15" fill="#1a1a1a">{title}</text>"##)?;
        self.write_scale(svg)?;
        self.write_line(svg)?;
        self.write_marks(svg)?;
        self.write_dates(svg)?;
        svg.write_str("</svg>\n")
    }

    /// The ends of the scale, and the bounds of the bands that lie between them.
    fn write_scale(&self, svg: &mut String) -> std::fmt::Result {
        let (low, high) = self.range;
        for score in [low, high] {
            let y = self.y(score);
            writeln!(
                svg,
                r##"<line x1="{LEFT}" y1="{y:.1}" x2="{RIGHT}" y2="{y:.1}" stroke="#c8c8c8"/>"##
            )?;
            let x = LEFT - 8.0;
            writeln!(
                svg,
                r##"<text x="{x}" y="{:.1}" text-anchor="end" fill="#555555">{score:.2}</text>"##,
                y + 4.0
            )?;
        }
        for (bound, band) in Band::TABLE {
            if bound <= low || bound >= high {
                continue;
            }
            let y = self.y(bound);
            writeln!(
                svg,
                r##"<line x1="{LEFT}" y1="{y:.1}" x2="{RIGHT}" y2="{y:.1}" stroke="#c8c8c8" stroke-dasharray="4 4"/>"##
            )?;
            writeln!(
                svg,
                r##"<text x="{RIGHT}" y="{:.1}" text-anchor="end" fill="#555555">{} from {bound:.2}</text>"##,
                y - 4.0,
                band.words()
            )?;
        }
        Ok(())
    }

    fn write_line(&self, svg: &mut String) -> std::fmt::Result {
        let mut path = format!("M{LEFT:.1} {:.1}", self.y(self.start));
        for (place, step) in self.steps.iter().enumerate() {
            write!(path, " H{:.1} V{:.1}", self.x(place + 1), self.y(step.score))?;
        }
        write!(path, " H{RIGHT:.1}")?;
        writeln!(svg, r##"<path d="{path}" fill="none" stroke="#1f5fa8" stroke-width="2"/>"##)
    }

    fn write_marks(&self, svg: &mut String) -> std::fmt::Result {
        if self.steps.len() > MARKS_MAX {
            return Ok(());
        }
        for (place, step) in self.steps.iter().enumerate() {
            let (x, y) = (self.x(place + 1), self.y(step.score));
            let label = escape(&format!("{} on {}: {:.3}", step.label, step.at.date(), step.score));
            writeln!(
                svg,
                r##"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="#1f5fa8"><title>{label}</title></circle>"##
            )?;
        }
        Ok(())
    }

    fn write_dates(&self, svg: &mut String) -> std::fmt::Result {
        let y = BOTTOM + 24.0;
        if let (Some(first), Some(last)) = (self.steps.first(), self.steps.last()) {
            writeln!(
                svg,
                r##"<text x="{LEFT}" y="{y}" fill="#555555">{}</text>"##,
                first.at.date()
            )?;
            writeln!(
                svg,
                r##"<text x="{RIGHT}" y="{y}" text-anchor="end" fill="#555555">{}</text>"##,
                last.at.date()
            )?;
        }
        Ok(())
    }

    /// Events are spread evenly; the first comes after a stretch of the score before it.
    fn x(&self, place: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * place as f64 / (self.steps.len() + 1) as f64
    }

    fn y(&self, score: f64) -> f64 {
        let (low, high) = self.range;
        BOTTOM - (BOTTOM - TOP) * (score - low) / (high - low)
    }
}

fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in printable::line(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::super::tests::history;

    #[test]
    fn a_picture_says_what_it_shows() {
        let svg = history(0.5, &[0.75, 0.6]).svg();
        assert!(svg.contains("<title id=\"title\">Credibility of gazette.example</title>"));
        assert!(svg.contains("From 0.500 to 0.600 in 2 events."));
        assert!(svg.contains("established from 0.70"));
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("by Ada &lt;script&gt;&amp;&quot; on 2026-03-01: 0.750"));
        assert_eq!(history(0.5, &vec![0.6; 300]).svg().matches("<circle").count(), 0);
    }
}
