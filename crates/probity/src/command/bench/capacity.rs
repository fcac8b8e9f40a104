//! `probity bench capacity`: what a load needs, by a simulation that first repeats what was measured.

use std::process::ExitCode;

use serde::Serialize;

use super::simulate::{self, Hour, Plant, WORKERS_MOST};
use crate::app::App;
use crate::failure::usage;
use crate::output;

/// What may be typed after `probity bench capacity`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Runs a day, instead of 10, 1,000 and 100,000.
    #[arg(long, value_name = "N")]
    runs_a_day: Option<f64>,
    /// How many times the average hour the busiest one has.
    #[arg(long, value_name = "TIMES", default_value_t = 3.0)]
    peak: f64,
    /// Runs that a worker executes at once.
    #[arg(long, value_name = "N", default_value_t = 8)]
    concurrency: usize,
    /// Cores of a worker.
    #[arg(long, value_name = "N", default_value_t = 2)]
    cores: usize,
    /// Statements that the database works on at once.
    #[arg(long, value_name = "N", default_value_t = 4)]
    database_cores: usize,
    /// Seconds that a run waits for models and pages.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    outside: f64,
    /// Seconds that a run needs of a core.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5)]
    cpu: f64,
    /// Seconds that a run needs of the database.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1)]
    database: f64,
}

/// Something that was measured, and the numbers that it was measured with.
struct Point {
    what: &'static str,
    /// Runs that were in progress at once, over all workers.
    places: usize,
    /// Seconds that each waited for the model.
    outside: f64,
    runs: usize,
    per_second: f64,
    /// Whether the simulation was fitted to it; the others are what it has to predict.
    is_fitted: bool,
}

/// Measured with `scripts/bench-workers`; see docs/teams.md.
///
/// Quick runs that wait for six calls one after the other, on one machine of two cores, which the
/// workers, the database and much other work shared.
const POINTS: &[Point] = &[
    Point {
        what: "1 worker, 1 run at once, slow model",
        places: 1,
        outside: 6.0,
        runs: 6,
        per_second: 0.160,
        is_fitted: true,
    },
    Point {
        what: "1 worker, 4 runs at once, quick model",
        places: 4,
        outside: 0.09,
        runs: 60,
        per_second: 8.42,
        is_fitted: true,
    },
    Point {
        what: "4 workers, 1 run at once each, slow model",
        places: 4,
        outside: 6.0,
        runs: 24,
        per_second: 0.643,
        is_fitted: false,
    },
    Point {
        what: "3 workers, 4 runs at once each, quick model",
        places: 12,
        outside: 0.09,
        runs: 300,
        per_second: 11.78,
        is_fitted: false,
    },
];

/// Cores of the machine of the measurement.
const MEASURED_CORES: usize = 2;
/// The most that a run of the measurement can have needed of a core, in seconds.
const FIT_MOST: f64 = 5.0;
/// How often the fit is narrowed down: to less than a ten-thousandth of a second.
const FIT_STEPS: usize = 30;

impl Point {
    /// What the simulation makes of it if a run needs that much of a core. The database counts as part
    /// of that, because it ran on the same machine.
    fn simulated(&self, cpu: f64) -> f64 {
        let plant = Plant {
            workers: 1,
            concurrency: self.places,
            cores: MEASURED_CORES,
            database_cores: MEASURED_CORES,
            outside: self.outside,
            cpu,
            database: 0.0,
        };
        simulate::all_at_once(plant, self.runs).per_second
    }

    /// By which share the simulation is above what was measured, or below.
    fn error(&self, cpu: f64) -> f64 {
        self.simulated(cpu) / self.per_second - 1.0
    }
}

/// What a run of the measurement needed of a core: where the points of one worker come out best, by the
/// sum of their squared errors.
fn fit() -> f64 {
    let fitted = || POINTS.iter().filter(|point| point.is_fitted);
    let miss = |cpu: f64| fitted().map(|point| point.error(cpu).powi(2)).sum::<f64>();
    let (mut low, mut high) = (0.0, FIT_MOST);
    for _ in 0..FIT_STEPS {
        let third = (high - low) / 3.0;
        if miss(low + third) <= miss(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    f64::midpoint(low, high)
}

#[derive(Serialize)]
struct Repeated {
    what: &'static str,
    fitted: bool,
    measured_per_second: f64,
    simulated_per_second: f64,
    error: f64,
}

#[derive(Serialize)]
struct Sized {
    runs_a_day: f64,
    workers: Option<usize>,
    busiest_hour: Option<Hour>,
}

#[derive(Serialize)]
struct Answer {
    repeated: Vec<Repeated>,
    sizes: Vec<Sized>,
}

/// Runs `probity bench capacity`.
pub(crate) fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let times = [args.peak, args.outside, args.cpu, args.database];
    if times.iter().any(|time| !(time.is_finite() && *time >= 0.0 && *time <= 1e6)) {
        return Err(usage("times have to lie between 0 and a million seconds"));
    }
    if args.runs_a_day.is_some_and(|runs| !(runs.is_finite() && (0.0..=1e7).contains(&runs))) {
        return Err(usage("--runs-a-day has to lie between 0 and ten million"));
    }
    let cpu = fit();
    let repeated = POINTS.iter().map(|point| Repeated {
        what: point.what,
        fitted: point.is_fitted,
        measured_per_second: point.per_second,
        simulated_per_second: point.simulated(cpu),
        error: point.error(cpu),
    });
    let repeated = repeated.collect();
    let plant = Plant {
        workers: 1,
        concurrency: args.concurrency.clamp(1, 1_000),
        cores: args.cores.clamp(1, 1_000),
        database_cores: args.database_cores.clamp(1, 1_000),
        outside: args.outside,
        cpu: args.cpu,
        database: args.database,
    };
    let loads = args.runs_a_day.map_or_else(|| vec![10.0, 1e3, 1e5], |runs| vec![runs]);
    let sizes = loads.into_iter().map(|runs_a_day| {
        let found = simulate::size(plant, runs_a_day, args.peak);
        let (workers, busiest_hour) = found.map_or((None, None), |(n, hour)| (Some(n), Some(hour)));
        Sized { runs_a_day, workers, busiest_hour }
    });
    let answer = Answer { repeated, sizes: sizes.collect() };
    if app.json {
        output::print_json(&answer)?;
    } else {
        output::print_line(&text(&answer))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(answer: &Answer) -> String {
    let mut lines = Vec::new();
    for (fitted, head) in [
        (true, "Measured with one worker; the simulation was fitted to it:"),
        (false, "Measured with several, and predicted by the simulation:"),
    ] {
        lines.push(head.to_owned());
        for point in answer.repeated.iter().filter(|point| point.fitted == fitted) {
            lines.push(format!(
                "  {:<44} {:>6.2} runs a second, simulated {:>6.2} ({:+.0} %)",
                point.what,
                point.measured_per_second,
                point.simulated_per_second,
                point.error * 100.0
            ));
        }
    }
    lines.push("What the busiest hour needs, so that 95 of 100 begin within 10 s:".to_owned());
    lines.push(
        "  runs a day  workers  begin within  end within  places  cores  database".to_owned(),
    );
    for size in &answer.sizes {
        lines.push(match (size.workers, size.busiest_hour) {
            (Some(workers), Some(hour)) => format!(
                "  {:>10.0}  {workers:>7}  {:>10.1} s  {:>8.1} s  {:>5.0} %  {:>3.0} %  {:>6.1} %",
                size.runs_a_day,
                hour.wait_95,
                hour.total_95,
                hour.places * 100.0,
                hour.cores * 100.0,
                hour.database * 100.0
            ),
            _ => format!("  {:>10.0}  more than {WORKERS_MOST}", size.runs_a_day),
        });
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_is_the_best_there_is_and_knows_only_the_points_of_one_worker() {
        let best = fit();
        let fitted: Vec<&Point> = POINTS.iter().filter(|point| point.is_fitted).collect();
        assert!(fitted.iter().all(|point| point.what.starts_with("1 worker,")));
        assert!(fitted.len() < POINTS.len(), "nothing is left to predict");
        let miss = |cpu: f64| fitted.iter().map(|point| point.error(cpu).powi(2)).sum::<f64>();
        for step in 1..60 {
            let other = f64::from(step) * 0.02;
            assert!(miss(best) <= miss(other) + 1e-3, "{other} fits better than {best}");
        }
    }
}
