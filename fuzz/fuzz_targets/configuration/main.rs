//! The program has no library, so its modules that read configuration are compiled here again, by links.
#![no_main]
#![allow(dead_code)]

mod atomic_file;
mod config;
mod failure;

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
