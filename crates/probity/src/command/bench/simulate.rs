//! How many workers a load needs, played through in virtual time.
//!
//! ```text
//! runs arrive → wait for a place → (outside → worker's cores → database) × steps → done
//! ```
//!
//! A run is a number of steps. Each waits for the outside world, then needs its worker's cores, then
//! the database; cores and database are shared and have queues. Time is the simulation's own, so an
//! hour takes a moment, and the same numbers give the same answer.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use serde::Serialize;

/// How many steps a run is made of.
const STEPS: usize = 20;
/// How long is played through, in seconds: the busiest hour.
const HOUR: f64 = 3_600.0;
/// The most runs that are played through.
const RUNS_MOST: usize = 200_000;
/// The most workers that are tried.
pub(super) const WORKERS_MOST: usize = 4_096;
/// A run should wait no longer than this before it begins, for 95 of 100.
const WAIT_WANTED: f64 = 10.0;

/// What there is, and what a run needs of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Plant {
    /// Worker processes.
    pub(super) workers: usize,
    /// Runs that each executes at once.
    pub(super) concurrency: usize,
    /// Cores that each has.
    pub(super) cores: usize,
    /// Statements that the database works on at once.
    pub(super) database_cores: usize,
    /// Seconds that a run waits for models and pages.
    pub(super) outside: f64,
    /// Seconds that it needs of a core.
    pub(super) cpu: f64,
    /// Seconds that it needs of the database.
    pub(super) database: f64,
}

/// How an hour went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Hour {
    /// Runs that ended, each second.
    pub(super) per_second: f64,
    /// How long 95 of 100 waited at most before they began, in seconds.
    pub(super) wait_95: f64,
    /// How long 95 of 100 took at most from asking to report, in seconds.
    pub(super) total_95: f64,
    /// How busy the places, the cores and the database were, from 0 to 1.
    pub(super) places: f64,
    /// The cores.
    pub(super) cores: f64,
    /// The database.
    pub(super) database: f64,
}

/// What happens next, in thousandths of a millisecond so that the order is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Arrives,
    HasOutside,
    HasCore,
    HasDatabase,
}

#[derive(Debug, Clone, Copy)]
struct Run {
    arrived: u64,
    began: u64,
    worker: usize,
    steps: usize,
}

/// Servers with one queue.
#[derive(Debug, Clone)]
struct Desk {
    free: usize,
    waiting: VecDeque<usize>,
    busy: u64,
}

impl Desk {
    fn new(servers: usize) -> Self {
        Self { free: servers.max(1), waiting: VecDeque::new(), busy: 0 }
    }

    /// Takes a run, or has it wait.
    fn take(&mut self, run: usize) -> Option<usize> {
        match self.free {
            0 => {
                self.waiting.push_back(run);
                None
            }
            _ => {
                self.free -= 1;
                Some(run)
            }
        }
    }

    /// Lets a run go and gives the next one.
    fn next(&mut self, spent: u64) -> Option<usize> {
        self.busy += spent;
        let next = self.waiting.pop_front();
        if next.is_none() {
            self.free += 1;
        }
        next
    }
}

const MICROS: f64 = 1e6;

fn micros(seconds: f64) -> u64 {
    (seconds * MICROS).round() as u64
}

fn seconds(micros: u64) -> f64 {
    micros as f64 / MICROS
}

struct Simulation {
    plant: Plant,
    runs: Vec<Run>,
    next: BinaryHeap<Reverse<(u64, What, usize)>>,
    /// Free places of each worker.
    places: Vec<usize>,
    asked: VecDeque<usize>,
    cores: Vec<Desk>,
    database: Desk,
    done: Vec<(u64, usize)>,
    in_places: u64,
}

impl Simulation {
    fn new(plant: Plant, arrivals: &[u64]) -> Self {
        let runs: Vec<Run> = arrivals
            .iter()
            .map(|arrived| Run { arrived: *arrived, began: 0, worker: 0, steps: STEPS })
            .collect();
        let next = arrivals.iter().enumerate();
        let next = next.map(|(run, at)| Reverse((*at, What::Arrives, run))).collect();
        Self {
            plant,
            runs,
            next,
            places: vec![plant.concurrency.max(1); plant.workers.max(1)],
            asked: VecDeque::new(),
            cores: vec![Desk::new(plant.cores); plant.workers.max(1)],
            database: Desk::new(plant.database_cores),
            done: Vec::new(),
            in_places: 0,
        }
    }

    fn step(&self, of: f64) -> u64 {
        micros(of / f64::from(u32::try_from(STEPS).unwrap_or(1)))
    }

    fn play(&mut self) {
        while let Some(Reverse((now, what, run))) = self.next.pop() {
            match what {
                What::Arrives => {
                    self.asked.push_back(run);
                    self.begin(now);
                }
                What::HasOutside => self.want_core(now, run),
                What::HasCore => self.leave_core(now, run),
                What::HasDatabase => self.leave_database(now, run),
            }
        }
    }

    /// Gives the next run that waits to the worker with the most free places.
    fn begin(&mut self, now: u64) {
        let roomiest = self.places.iter().enumerate().max_by_key(|(_, free)| **free);
        let Some((worker, free)) = roomiest.map(|(worker, free)| (worker, *free)) else { return };
        if free == 0 {
            return;
        }
        let Some(run) = self.asked.pop_front() else { return };
        if let Some(place) = self.places.get_mut(worker) {
            *place -= 1;
        }
        if let Some(entry) = self.runs.get_mut(run) {
            entry.began = now;
            entry.worker = worker;
        }
        self.go_outside(now, run);
    }

    fn go_outside(&mut self, now: u64, run: usize) {
        self.next.push(Reverse((now + self.step(self.plant.outside), What::HasOutside, run)));
    }

    fn worker(&self, run: usize) -> usize {
        self.runs.get(run).map_or(0, |run| run.worker)
    }

    fn want_core(&mut self, now: u64, run: usize) {
        let (worker, work) = (self.worker(run), self.step(self.plant.cpu));
        if let Some(run) = self.cores.get_mut(worker).and_then(|core| core.take(run)) {
            self.next.push(Reverse((now + work, What::HasCore, run)));
        }
    }

    fn leave_core(&mut self, now: u64, run: usize) {
        let (worker, work) = (self.worker(run), self.step(self.plant.cpu));
        if let Some(next) = self.cores.get_mut(worker).and_then(|core| core.next(work)) {
            self.next.push(Reverse((now + work, What::HasCore, next)));
        }
        if let Some(run) = self.database.take(run) {
            let work = self.step(self.plant.database);
            self.next.push(Reverse((now + work, What::HasDatabase, run)));
        }
    }

    fn leave_database(&mut self, now: u64, run: usize) {
        let work = self.step(self.plant.database);
        if let Some(next) = self.database.next(work) {
            self.next.push(Reverse((now + work, What::HasDatabase, next)));
        }
        let Some(entry) = self.runs.get_mut(run) else { return };
        entry.steps -= 1;
        if entry.steps > 0 {
            return self.go_outside(now, run);
        }
        self.in_places += now - entry.began;
        let worker = entry.worker;
        self.done.push((now, run));
        if let Some(place) = self.places.get_mut(worker) {
            *place += 1;
        }
        self.begin(now);
    }

    fn sum_up(&self) -> Hour {
        let Some(end) = self.done.iter().map(|(at, _)| *at).max() else { return Hour::default() };
        let began = self.runs.iter().map(|run| run.arrived).min().unwrap_or(0);
        let span = seconds(end - began).max(f64::MIN_POSITIVE);
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        let of_runs = |value: &dyn Fn(u64, &Run) -> u64| {
            let runs = self.done.iter().filter_map(|(at, run)| Some((at, self.runs.get(*run)?)));
            percentile_95(runs.map(|(at, run)| value(*at, run)).collect())
        };
        let workers = count(self.plant.workers.max(1));
        let core_time: u64 = self.cores.iter().map(|core| core.busy).sum();
        let share = |busy: u64, servers: f64| seconds(busy) / (span * servers);
        Hour {
            per_second: count(self.done.len()) / span,
            wait_95: of_runs(&|_, run| run.began - run.arrived),
            total_95: of_runs(&|at, run| at - run.arrived),
            places: share(self.in_places, workers * count(self.plant.concurrency.max(1))),
            cores: share(core_time, workers * count(self.plant.cores.max(1))),
            database: share(self.database.busy, count(self.plant.database_cores.max(1))),
        }
    }
}

fn percentile_95(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    let place = values.len().saturating_sub(1) * 95 / 100;
    values.get(place).map_or(0.0, |value| seconds(*value))
}

/// Plays through this many runs that are all there from the start.
pub(super) fn all_at_once(plant: Plant, runs: usize) -> Hour {
    let mut simulation = Simulation::new(plant, &vec![0; runs.min(RUNS_MOST)]);
    simulation.play();
    simulation.sum_up()
}

/// Plays through the busiest hour of a day with this many runs, which come at random.
pub(super) fn busiest_hour(plant: Plant, runs_a_day: f64, peak: f64) -> Hour {
    let rate = (runs_a_day * peak / 24.0 / HOUR).max(f64::MIN_POSITIVE);
    let mut random = fastrand::Rng::with_seed(20_261_115);
    let mut arrivals = Vec::new();
    let mut at = 0.0;
    while arrivals.len() < RUNS_MOST {
        at += -f64::ln(1.0 - random.f64()) / rate;
        if at > HOUR {
            break;
        }
        arrivals.push(micros(at));
    }
    if arrivals.is_empty() {
        arrivals.push(0);
    }
    let mut simulation = Simulation::new(plant, &arrivals);
    simulation.play();
    simulation.sum_up()
}

/// The fewest workers with which few runs wait, and how the busiest hour goes with them.
pub(super) fn size(plant: Plant, runs_a_day: f64, peak: f64) -> Option<(usize, Hour)> {
    let fits = |workers: usize| {
        let hour = busiest_hour(Plant { workers, ..plant }, runs_a_day, peak);
        (hour.wait_95 <= WAIT_WANTED).then_some(hour)
    };
    let mut most = 1;
    while fits(most).is_none() {
        most *= 2;
        if most > WORKERS_MOST {
            return None;
        }
    }
    let (mut few, mut many) = (most / 2, most);
    while many - few > 1 {
        let middle = few + (many - few) / 2;
        if fits(middle).is_some() { many = middle } else { few = middle }
    }
    Some((many, fits(many)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANT: Plant = Plant {
        workers: 1,
        concurrency: 1,
        cores: 1,
        database_cores: 4,
        outside: 10.0,
        cpu: 0.0,
        database: 0.0,
    };

    #[test]
    fn runs_that_only_wait_take_as_long_as_they_wait() {
        let hour = all_at_once(PLANT, 5);
        assert!((hour.per_second - 0.1).abs() < 1e-9, "{hour:?}");
        assert!((hour.total_95 - 40.0).abs() < 1e-6, "{hour:?}");
        let four = all_at_once(Plant { workers: 4, ..PLANT }, 20);
        assert!((four.per_second - 0.4).abs() < 1e-9, "{four:?}");
    }

    #[test]
    fn what_is_shared_bounds_what_can_be_done() {
        // Two seconds of a core each: one core does half a run a second, however many wait.
        let plant = Plant { concurrency: 64, cpu: 2.0, outside: 1.0, ..PLANT };
        let hour = all_at_once(plant, 640);
        assert!((hour.per_second - 0.5).abs() < 0.01, "{hour:?}");
        assert!(hour.cores > 0.99, "{hour:?}");
        // A database that does one thing at a time bounds any number of workers.
        let plant = Plant { workers: 50, database: 0.5, database_cores: 1, ..PLANT };
        let hour = all_at_once(plant, 500);
        assert!((hour.per_second - 2.0).abs() < 0.1 && hour.database > 0.95, "{hour:?}");
    }

    #[test]
    fn more_runs_need_more_workers_and_no_more_than_that() {
        let plant = Plant { concurrency: 4, cpu: 0.3, database: 0.05, ..PLANT };
        let sizes: Vec<usize> =
            [10.0, 1e3, 1e5].iter().map(|runs| size(plant, *runs, 3.0).unwrap().0).collect();
        assert!(sizes.is_sorted() && sizes[0] == 1 && sizes[2] > 5, "{sizes:?}");
        let (workers, _) = size(plant, 1e5, 3.0).unwrap();
        let fewer = busiest_hour(Plant { workers: workers - 1, ..plant }, 1e5, 3.0);
        assert!(fewer.wait_95 > WAIT_WANTED);
    }

    #[test]
    fn the_same_numbers_give_the_same_answer() {
        let plant = Plant { cpu: 0.3, concurrency: 8, ..PLANT };
        assert_eq!(busiest_hour(plant, 1e4, 3.0), busiest_hour(plant, 1e4, 3.0));
    }
}
