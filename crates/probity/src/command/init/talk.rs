//! Questions and answers on a terminal.

use std::io::{self, BufRead as _, Write as _};

use crate::failure::{WithHint as _, usage};

/// How often one thing is asked before the program gives up.
const ATTEMPTS: usize = 5;
/// The longest answer that is read, in bytes.
const ANSWER_BYTES: u64 = 4_096;

/// A person who can be asked.
pub(super) trait Talk {
    /// Says something, without a new line.
    fn say(&mut self, text: &str) -> io::Result<()>;
    /// Hears one line; nothing at the end.
    fn hear(&mut self) -> io::Result<Option<String>>;
    /// Hears one line that the screen does not show.
    fn hear_secret(&mut self) -> io::Result<Option<String>>;
}

/// Asks until an answer can be used. An empty one is the default.
pub(super) fn ask<T>(
    talk: &mut dyn Talk,
    question: &str,
    default: &str,
    read: impl Fn(&str) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let shown = if default.is_empty() { String::new() } else { format!(" [{default}]") };
    for _ in 0..ATTEMPTS {
        talk.say(&format!("{question}{shown}: "))?;
        let Some(line) = talk.hear()? else { return Err(ended()) };
        let answer = if line.trim().is_empty() { default } else { line.trim() };
        match read(answer) {
            Ok(value) => return Ok(value),
            Err(error) => talk.say(&format!("{error}\n"))?,
        }
    }
    Err(usage(format!("no answer could be used: {question}")))
        .hint("`probity init --help` lists flags that say the same")
}

/// Lets the user choose by number.
pub(super) fn choose(
    talk: &mut dyn Talk,
    question: &str,
    options: &[String],
    default: usize,
) -> anyhow::Result<usize> {
    talk.say(&format!("\n{question}\n"))?;
    for (index, option) in options.iter().enumerate() {
        talk.say(&format!("  {}  {option}\n", index + 1))?;
    }
    ask(talk, "Number", &(default + 1).to_string(), |answer| match answer.parse::<usize>() {
        Ok(number) if (1..=options.len()).contains(&number) => Ok(number - 1),
        _ => Err(usage(format!("Type a number from 1 to {}.", options.len()))),
    })
}

/// Asks for yes or no.
pub(super) fn agree(talk: &mut dyn Talk, question: &str, default: bool) -> anyhow::Result<bool> {
    ask(talk, question, if default { "yes" } else { "no" }, |answer| {
        match answer.to_lowercase().as_str() {
            "y" | "yes" => Ok(true),
            "n" | "no" => Ok(false),
            _ => Err(usage("Type yes or no.")),
        }
    })
}

/// Asks for a key.
pub(super) fn ask_secret(talk: &mut dyn Talk, question: &str) -> anyhow::Result<String> {
    talk.say(&format!("{question} (it is not shown): "))?;
    let line = talk.hear_secret()?.ok_or_else(ended)?;
    talk.say("\n")?;
    Ok(line.trim().to_owned())
}

fn ended() -> anyhow::Error {
    usage("the answers ended before the questions; nothing was written")
}

/// The terminal that the program was started in.
pub(super) struct Terminal;

impl Terminal {
    pub(super) fn open() -> Self {
        Self
    }
}

impl Talk for Terminal {
    fn say(&mut self, text: &str) -> io::Result<()> {
        let mut screen = io::stderr().lock();
        screen.write_all(text.as_bytes())?;
        screen.flush()
    }

    fn hear(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let read = io::Read::take(io::stdin().lock(), ANSWER_BYTES).read_line(&mut line)?;
        Ok((read > 0).then_some(line))
    }

    #[cfg(unix)]
    fn hear_secret(&mut self) -> io::Result<Option<String>> {
        let _quiet = Quiet::begin()?;
        self.hear()
    }

    #[cfg(not(unix))]
    fn hear_secret(&mut self) -> io::Result<Option<String>> {
        self.hear()
    }
}

/// A terminal that does not show what is typed, until this is dropped or the program is interrupted.
#[cfg(unix)]
struct Quiet {
    before: rustix::termios::Termios,
    listening: tokio::task::JoinHandle<()>,
}

#[cfg(unix)]
impl Quiet {
    fn begin() -> io::Result<Self> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = tcgetattr(io::stdin())?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &quiet)?;
        let again = before.clone();
        let listening = crate::signal::when_asked_to_stop(move || {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &again);
            // The next prompt begins on a line of its own.
            let _ = writeln!(io::stderr());
            std::process::exit(i32::from(crate::signal::EXIT_INTERRUPTED));
        });
        Ok(Self { before, listening })
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        self.listening.abort();
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}
