//! The program has no library, so its modules that read configuration are compiled here again.
#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../../crates/probity/src"]
mod program {
    pub(crate) mod atomic_file;
    pub(crate) mod config;
    pub(crate) mod failure;
}

use program::{atomic_file, config, failure};

/// What those modules need of the program's output.
mod output {
    use anstyle::Style as Ansi;

    #[derive(Clone, Copy)]
    pub(crate) struct Style;

    impl Style {
        pub(crate) fn stderr(self, _: Ansi, text: &str) -> String {
            text.to_owned()
        }
    }

    pub(crate) fn stdout() -> std::io::Stdout {
        std::io::stdout()
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| config::fuzz::configuration(bytes));
