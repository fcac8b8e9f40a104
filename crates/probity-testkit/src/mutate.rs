//! Inputs that no person would write, made from real ones.
//!
//! ```text
//! seeds → (cut, flip, swap, repeat, splice, insert a word of the format) → target → must end without a panic
//! ```
//!
//! The same number gives the same inputs on any machine. A test tries a few hundred of them each
//! time; `scripts/fuzz SECONDS` continues with others for so long, and says which inputs were slow.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How many seconds each target is tried for, instead of a fixed number of inputs.
pub const SECONDS_VARIABLE: &str = "PROBITY_FUZZ_SECONDS";
/// The number to begin with, to try other inputs or to try the same again.
pub const SEED_VARIABLE: &str = "PROBITY_FUZZ_SEED";
/// The folder that seeds and words are written to for a fuzzer, instead of trying anything.
pub const CORPUS_VARIABLE: &str = "PROBITY_FUZZ_CORPUS";
/// How many inputs a test tries.
const USUAL: u64 = 300;
/// The longest input.
const MOST_BYTES: usize = 256 * 1024;
/// How long one input may take before `scripts/fuzz` reports it.
const SLOW: Duration = Duration::from_secs(5);
/// The most changes to one seed.
const CHANGES: u64 = 6;

/// Bytes at which parsers begin, end, escape or overflow.
const ODD: [u8; 24] = [
    0, 1, 9, 10, 13, 26, 32, 34, 35, 38, 39, 40, 41, 47, 60, 62, 91, 92, 93, 123, 125, 127, 128,
    255,
];
/// Numbers at which counts and lengths overflow.
const NUMBERS: [&str; 8] = [
    "0",
    "-1",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775808",
    "99999999999999999999",
    "1e999",
];

/// A small generator of its own, because what it gives has to stay the same.
#[derive(Debug, Clone)]
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        // splitmix64, by Sebastiano Vigna; public domain.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most.max(1) as u64).unwrap_or(0)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let place = self.below(from.len());
        from.get(place)
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = (length - start).min(1 + self.below(1 + length / 4));
        start..start + most
    }
}

/// The input of a number.
pub fn input(number: u64, seeds: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut chance = Chance(number);
    let mut bytes = chance.pick(seeds).cloned().unwrap_or_default();
    for _ in 0..=chance.next() % CHANGES {
        change(&mut bytes, &mut chance, seeds, words);
        bytes.truncate(MOST_BYTES);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, chance: &mut Chance, seeds: &[Vec<u8>], words: &[&str]) {
    let range = chance.range(bytes.len());
    match chance.below(10) {
        0 => {
            let place = chance.below(bytes.len());
            let bit = 1_u8 << chance.below(8);
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= bit;
            }
        }
        1 => {
            let odd = chance.pick(&ODD).copied().unwrap_or(0);
            bytes.splice(range.start..range.start, [odd]);
        }
        2 => drop(bytes.drain(range)),
        3 => bytes.truncate(range.start),
        4 => {
            let part: Vec<u8> = bytes.get(range.clone()).unwrap_or_default().to_vec();
            let most = 1 << chance.below(12);
            let times = 1 + chance.below(most);
            let many = part.repeat(times.min(MOST_BYTES / part.len().max(1)));
            bytes.splice(range.start..range.start, many);
        }
        5 => {
            let other = chance.pick(seeds).cloned().unwrap_or_default();
            let part = chance.range(other.len());
            bytes.splice(range, other.get(part).unwrap_or_default().to_vec());
        }
        6 => {
            let number = chance.pick(&NUMBERS).copied().unwrap_or_default();
            let start = bytes.iter().skip(range.start).position(u8::is_ascii_digit);
            let start = start.map_or(range.start, |ahead| range.start + ahead);
            let digits = bytes.iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
            bytes.splice(start..start + digits, number.bytes());
        }
        7 => bytes.get_mut(range).unwrap_or_default().fill(chance.pick(&ODD).copied().unwrap_or(0)),
        8 => bytes.get_mut(range).unwrap_or_default().reverse(),
        _ => {
            let word = chance.pick(words).copied().unwrap_or("\u{202e}\u{0}\u{fffd}");
            bytes.splice(range.start..range.start, word.bytes());
        }
    }
}

/// Tries a target with the seeds as they are and with what can be made of them.
///
/// # Panics
/// When the target does; the input is kept in a file that the message names.
#[expect(clippy::panic, reason = "a test that finds a crash must fail")]
#[expect(clippy::print_stderr, reason = "the person who looks for crashes must see what was tried")]
pub fn drive(name: &str, seeds: &[Vec<u8>], words: &[&str], target: impl Fn(&[u8])) {
    if let Some(folder) = std::env::var_os(CORPUS_VARIABLE) {
        let written = write_corpus(Path::new(&folder), name, seeds, words);
        return written.unwrap_or_else(|error| panic!("{name}: seeds cannot be written: {error}"));
    }
    let number = |variable: &str| std::env::var(variable).ok()?.parse::<u64>().ok();
    let time = number(SECONDS_VARIABLE).map(Duration::from_secs);
    let first = number(SEED_VARIABLE).unwrap_or(0);
    let began = Instant::now();
    let mut tried = 0;
    let goes_on = |tried: u64| time.map_or(tried < USUAL, |time| began.elapsed() < time);
    let attempt = |bytes: &[u8], what: &str| {
        let started = Instant::now();
        if catch_unwind(AssertUnwindSafe(|| target(bytes))).is_err() {
            let kept = keep(name, bytes);
            panic!("{name}: a panic on {what}, kept as {}", kept.display());
        }
        if time.is_some() && started.elapsed() > SLOW {
            let kept = keep(name, bytes);
            eprintln!(
                "{name}: slow, {:?} on {what}, kept as {}",
                started.elapsed(),
                kept.display()
            );
        }
    };
    for (place, seed) in seeds.iter().enumerate() {
        attempt(seed, &format!("seed {place}"));
    }
    while goes_on(tried) {
        let number = first.wrapping_add(tried);
        attempt(&input(number, seeds, words), &format!("input {number}"));
        tried += 1;
    }
    if time.is_some() {
        eprintln!("{name}: {tried} inputs from number {first} on, no panic");
    }
}

/// Writes `NAME/seed-N` for each seed, and the words as `NAME.dict`, as libFuzzer reads them.
fn write_corpus(
    folder: &Path,
    name: &str,
    seeds: &[Vec<u8>],
    words: &[&str],
) -> std::io::Result<()> {
    let corpus = folder.join(name);
    std::fs::create_dir_all(&corpus)?;
    for (place, seed) in seeds.iter().enumerate() {
        std::fs::write(corpus.join(format!("seed-{place}")), seed)?;
    }
    let escaped =
        |word: &&str| word.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
    let lines = words.iter().map(|word| format!("\"{}\"\n", escaped(word))).collect::<String>();
    std::fs::write(folder.join(format!("{name}.dict")), lines)
}

fn keep(name: &str, bytes: &[u8]) -> PathBuf {
    let letters = name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let path = std::env::temp_dir().join(format!("probity-fuzz-{letters}-{:08x}", sum(bytes)));
    let _ = std::fs::write(&path, bytes);
    path
}

fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_input_and_others_give_others() {
        let seeds = [b"<p>12 crowns</p>".to_vec(), b"{\"a\": [1, 2]}".to_vec()];
        let made: Vec<Vec<u8>> = (0..200).map(|number| input(number, &seeds, &["<a>"])).collect();
        let again: Vec<Vec<u8>> = (0..200).map(|number| input(number, &seeds, &["<a>"])).collect();
        assert_eq!(made, again);
        let distinct: std::collections::BTreeSet<&Vec<u8>> = made.iter().collect();
        assert!(distinct.len() > 150, "{}", distinct.len());
        assert!(made.iter().all(|bytes| bytes.len() <= MOST_BYTES));
        assert!(input(7, &[], &[]).len() <= MOST_BYTES);
    }

    #[test]
    fn seeds_and_words_are_written_as_a_fuzzer_reads_them() {
        let folder = tempfile::tempdir().unwrap();
        write_corpus(folder.path(), "x", &[b"abc".to_vec(), vec![0, 255]], &["a\"", "é"]).unwrap();
        let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
        assert_eq!((read("x/seed-0"), read("x/seed-1")), (b"abc".to_vec(), vec![0, 255]));
        assert_eq!(read("x.dict"), b"\"\\x61\\x22\"\n\"\\xc3\\xa9\"\n");
    }

    #[test]
    #[should_panic(expected = "a panic on")]
    fn a_panic_is_found_and_its_input_kept() {
        drive("a test", &[b"abc".to_vec()], &["boom"], |bytes| {
            assert!(!bytes.windows(4).any(|window| window == b"boom"));
        });
    }
}
