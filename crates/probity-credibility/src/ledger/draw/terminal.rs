//! The step line in box-drawing characters.

use super::History;

/// The narrowest picture.
const MIN_WIDTH: usize = 40;
/// How many lines the picture has, without the line of dates.
const HEIGHT: usize = 9;
/// The columns of a label such as `0.95 ┤`.
const LABEL: usize = 6;
/// The most columns that one event takes.
const STEP_MAX: usize = 6;

impl History {
    /// The picture as lines of text, at most `width` columns wide (40 at least), without colour.
    pub fn terminal(&self, width: usize) -> String {
        let columns = width.max(MIN_WIDTH) - LABEL;
        let (low, high) = self.range;
        let rows = self.rows(columns, low, high);
        let mut lines = vec![vec![' '; rows.len()]; HEIGHT];
        let mut put = |row: usize, column: usize, mark: char| {
            if let Some(cell) = lines.get_mut(row).and_then(|line| line.get_mut(column)) {
                *cell = mark;
            }
        };
        let mut previous = rows.first().copied().unwrap_or_default();
        for (column, row) in rows.iter().copied().enumerate() {
            for between in previous.min(row) + 1..previous.max(row) {
                put(between, column, '│');
            }
            match row.cmp(&previous) {
                std::cmp::Ordering::Equal => put(row, column, '─'),
                std::cmp::Ordering::Less => {
                    put(previous, column, '╯');
                    put(row, column, '╭');
                }
                std::cmp::Ordering::Greater => {
                    put(previous, column, '╮');
                    put(row, column, '╰');
                }
            }
            previous = row;
        }
        self.label(&lines, low, high)
    }

    /// The row of the line in each column, the highest score in row 0.
    fn rows(&self, columns: usize, low: f64, high: f64) -> Vec<usize> {
        let scores: Vec<f64> = self.scores().collect();
        let row = |score: f64| {
            let share = ((high - score) / (high - low)).clamp(0.0, 1.0);
            // In range by the clamp, so the cast cannot go wrong.
            (share * (HEIGHT - 1) as f64).round() as usize
        };
        if scores.len() <= columns {
            let step = (columns / scores.len().max(1)).clamp(1, STEP_MAX);
            return scores.iter().flat_map(|s| std::iter::repeat_n(row(*s), step)).collect();
        }
        (0..columns)
            .filter_map(|column| scores.get(column * (scores.len() - 1) / (columns - 1).max(1)))
            .map(|score| row(*score))
            .collect()
    }

    fn label(&self, lines: &[Vec<char>], low: f64, high: f64) -> String {
        let mut text = String::new();
        for (row, line) in lines.iter().enumerate() {
            let score = high - (high - low) * row as f64 / (HEIGHT - 1) as f64;
            let label =
                if row % 2 == 0 { format!("{score:.2} ┤") } else { "     │".to_owned() };
            let line: String = line.iter().collect();
            text.push_str(&label);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let dates = match (self.steps.first(), self.steps.last()) {
            (Some(first), Some(last)) => format!("{} to {}", first.at.date(), last.at.date()),
            _ => "no events yet".to_owned(),
        };
        text.push_str(&format!("      {dates}\n"));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::history;

    #[test]
    fn a_line_steps_up_and_down() {
        let drawn = history(0.5, &[0.6, 0.6, 0.4, 0.5]).terminal(46);
        let expected = "\
0.60 ┤      ╭───────────╮
     │      │           │
0.55 ┤      │           │
     │      │           │
0.50 ┤──────╯           │     ╭─────
     │                  │     │
0.45 ┤                  │     │
     │                  │     │
0.40 ┤                  ╰─────╯
      2026-03-01 to 2026-03-04
";
        assert_eq!(drawn, expected, "\n{drawn}");
    }

    #[test]
    fn an_outlet_without_events_is_a_level_line() {
        let drawn = history(0.92, &[]).terminal(40);
        assert_eq!(drawn.matches('─').count(), 6);
        assert!(drawn.contains("no events yet"));
    }
}
