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
    /// Runs that a worker carries out at once.
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
    plant: Plant,
    runs: usize,
    per_second: f64,
}

/// Measured with `scripts/bench-workers`; see docs/teams.md.
///
/// Quick runs with six calls one after the other to a model that thinks for a second, one run at a
/// time in each worker, on two cores that had much other work to do.
const POINTS: &[Point] = &[
    Point { what: "1 worker, 1 run at once", plant: MEASURED, runs: 6, per_second: 0.16 },
    Point {
        what: "4 workers, 1 run at once each",
        plant: Plant { workers: 4, ..MEASURED },
        runs: 24,
        per_second: 0.60,
    },
];

/// The worker of the measurement: waiting for the model, and what is left of the time.
const MEASURED: Plant = Plant {
    workers: 1,
    concurrency: 1,
    cores: 1,
    database_cores: 4,
    outside: 6.0,
    cpu: 0.2,
    database: 0.25,
};

#[derive(Serialize)]
struct Repeated {
    what: &'static str,
    measured_per_second: f64,
    simulated_per_second: f64,
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
    let repeated = POINTS.iter().map(|point| Repeated {
        what: point.what,
        measured_per_second: point.per_second,
        simulated_per_second: simulate::all_at_once(point.plant, point.runs).per_second,
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
    let mut lines = vec!["What was measured, and what the simulation makes of it:".to_owned()];
    for point in &answer.repeated {
        lines.push(format!(
            "  {:<44} {:>7.2} runs a second, simulated {:.2}",
            point.what, point.measured_per_second, point.simulated_per_second
        ));
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
