#![no_main]

#[path = "../../crates/probity/tests/it/fuzz/targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::mail(bytes));
