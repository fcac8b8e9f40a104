//! A few counts, written in the text form that Prometheus reads.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;

/// The upper bounds of the classes of answer times, in milliseconds.
const CLASSES: [u64; 8] = [5, 10, 25, 50, 100, 250, 1_000, 5_000];

/// What the server counts. Counters only grow while the process lives.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    by_status: [AtomicU64; 6],
    classes: [AtomicU64; CLASSES.len()],
    total: AtomicU64,
    micros: AtomicU64,
    /// Streams that are open now.
    pub(crate) watchers: AtomicI64,
    /// Questions that were asked.
    pub(crate) asked: AtomicU64,
    /// Log-ins that failed.
    pub(crate) refused: AtomicU64,
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn count(&self, status: u16, took: Duration) {
        let add = |counter: &AtomicU64, n: u64| counter.fetch_add(n, Ordering::Relaxed);
        if let Some(counter) = self.by_status.get(usize::from(status / 100)) {
            add(counter, 1);
        }
        for (bound, counter) in CLASSES.iter().zip(&self.classes) {
            if took.as_millis() <= u128::from(*bound) {
                add(counter, 1);
            }
        }
        add(&self.total, 1);
        add(&self.micros, u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    }

    /// Everything as text, with gauges that the caller knows.
    pub(crate) fn write(&self, gauges: &[(&str, &str, f64)]) -> String {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mut text = String::with_capacity(2_048);
        let head = |text: &mut String, name: &str, help: &str, kind: &str| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        };
        head(&mut text, "probity_http_requests_total", "Answers by class of status.", "counter");
        for (class, counter) in self.by_status.iter().enumerate().skip(1) {
            let count = read(counter);
            let _ = writeln!(text, "probity_http_requests_total{{status=\"{class}xx\"}} {count}");
        }
        let name = "probity_http_request_seconds";
        head(&mut text, name, "Time until an answer began.", "histogram");
        for (bound, counter) in CLASSES.iter().zip(&self.classes) {
            let (seconds, count) = (*bound as f64 / 1_000.0, read(counter));
            let _ = writeln!(text, "{name}_bucket{{le=\"{seconds}\"}} {count}");
        }
        let (total, seconds) = (read(&self.total), read(&self.micros) as f64 / 1e6);
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {total}");
        let _ = writeln!(text, "{name}_sum {seconds}\n{name}_count {total}");
        for (name, help, counter) in [
            ("probity_questions_total", "Questions that were asked.", &self.asked),
            ("probity_logins_refused_total", "Log-ins that failed.", &self.refused),
        ] {
            head(&mut text, name, help, "counter");
            let _ = writeln!(text, "{name} {}", read(counter));
        }
        let watchers = self.watchers.load(Ordering::Relaxed) as f64;
        let tasks = Handle::try_current().map_or(0, |here| here.metrics().num_alive_tasks()) as f64;
        let own = [
            ("probity_watchers", "Streams of events that are open.", watchers),
            ("probity_tasks", "Tasks of the process that have not ended.", tasks),
        ];
        for (name, help, value) in own.iter().chain(gauges) {
            head(&mut text, name, help, "gauge");
            let _ = writeln!(text, "{name} {value}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_what_is_below_them() {
        let metrics = Metrics::default();
        metrics.count(200, Duration::from_millis(7));
        metrics.count(503, Duration::from_secs(60));
        let text = metrics.write(&[("probity_up", "Whether it is up.", 1.0)]);
        for line in [
            "probity_http_requests_total{status=\"2xx\"} 1",
            "probity_http_requests_total{status=\"5xx\"} 1",
            "probity_http_request_seconds_bucket{le=\"0.005\"} 0",
            "probity_http_request_seconds_bucket{le=\"0.01\"} 1",
            "probity_http_request_seconds_bucket{le=\"+Inf\"} 2",
            "probity_up 1",
        ] {
            assert!(text.lines().any(|own| own == line), "{line} is not in\n{text}");
        }
    }
}
