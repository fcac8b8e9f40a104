//! Where a store is: a SQLite file or a PostgreSQL URL.

use std::fmt;
use std::path::{Path, PathBuf};

use probity_core::{Secret, printable};

/// Why a text does not say where a store is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocationError {
    /// Nothing was given.
    #[error("the store's location is empty (expected a file, sqlite:FILE or postgres://…)")]
    Empty,
    /// A database that would vanish with the process.
    #[error("a store in memory is not supported: name a file")]
    Memory,
    /// A kind of database that Probity does not speak to.
    #[error("`{0}` databases are not supported (expected a file, sqlite:FILE or postgres://…)")]
    Scheme(String),
    /// The URL cannot be read.
    #[error("the PostgreSQL URL cannot be read: {0}")]
    Url(String),
}

/// Where a store is. A password in a URL is never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL database.
    Postgres(Secret),
}

impl Location {
    /// A SQLite file, by its path.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::Sqlite(path.into())
    }

    /// Reads a path, `sqlite:PATH` or `postgres://…`.
    ///
    /// ```
    /// use probity_store::Location;
    ///
    /// let team = Location::parse("postgres://ada:secret@db.example/probity")?;
    /// assert_eq!(team.to_string(), "postgres://ada@db.example/probity");
    /// assert_eq!(Location::parse("sqlite:ledger.db")?, Location::file("ledger.db"));
    /// # Ok::<(), probity_store::LocationError>(())
    /// ```
    ///
    /// # Errors
    /// When it is empty, in memory, or another kind of database.
    pub fn parse(text: &str) -> Result<Self, LocationError> {
        let text = text.trim();
        let scheme = text.split_once(':').map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
        match scheme {
            _ if text.is_empty() => Err(LocationError::Empty),
            Some((scheme, _)) if matches!(scheme.as_str(), "postgres" | "postgresql") => {
                Self::postgres(text)
            }
            Some((scheme, rest)) if scheme == "sqlite" => {
                Self::sqlite(rest.strip_prefix("//").unwrap_or(rest))
            }
            Some((scheme, rest)) if rest.starts_with("//") => {
                Err(LocationError::Scheme(printable::brief(&scheme, 32)))
            }
            _ => Self::sqlite(text),
        }
    }

    fn sqlite(path: &str) -> Result<Self, LocationError> {
        match path {
            "" => Err(LocationError::Empty),
            ":memory:" => Err(LocationError::Memory),
            path => Ok(Self::Sqlite(PathBuf::from(path))),
        }
    }

    fn postgres(url: &str) -> Result<Self, LocationError> {
        // The options are parsed again when connecting; here only to refuse early.
        url.parse::<sqlx::postgres::PgConnectOptions>()
            .map_err(|error| LocationError::Url(error.to_string()))?;
        Ok(Self::Postgres(Secret::new(url)))
    }

    /// The file, where it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Sqlite(path) => Some(path),
            Self::Postgres(_) => None,
        }
    }
}

impl std::str::FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        Self::parse(text)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => f.write_str(&printable::line(&path.to_string_lossy())),
            Self::Postgres(url) => f.write_str(&printable::line(&without_password(url.expose()))),
        }
    }
}

/// User, host, port and database; neither a password nor parameters, which may hold one.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return "postgres".to_owned() };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_once('/').map_or((rest, ""), |(host, path)| (host, path));
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let user = user.split(':').next().unwrap_or_default();
    let at = if user.is_empty() { "" } else { "@" };
    format!("{scheme}://{user}{at}{host}/{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_urls_are_distinguished() {
        for (text, path) in [
            ("ledger.db", "ledger.db"),
            ("sqlite:/var/x.db", "/var/x.db"),
            ("sqlite://x.db", "x.db"),
            ("sqlite:///var/x.db", "/var/x.db"),
            (r"C:\data\x.db", r"C:\data\x.db"),
        ] {
            assert_eq!(Location::parse(text), Ok(Location::file(path)), "{text}");
        }
        assert!(matches!(Location::parse("postgresql://h/d"), Ok(Location::Postgres(_))));
    }

    #[test]
    fn what_cannot_be_a_store_is_refused() {
        assert_eq!(Location::parse("  "), Err(LocationError::Empty));
        assert_eq!(Location::parse("sqlite::memory:"), Err(LocationError::Memory));
        assert_eq!(Location::parse("mysql://h/d"), Err(LocationError::Scheme("mysql".into())));
        assert!(matches!(Location::parse("postgres://h:port/d"), Err(LocationError::Url(_))));
    }

    #[test]
    fn a_password_is_never_shown() {
        for url in [
            "postgres://ada:hunter2@db.example:5433/probity",
            "postgres://ada:hun@ter2@db.example:5433/probity?password=hunter2",
        ] {
            let location = Location::Postgres(Secret::new(url));
            assert_eq!(location.to_string(), "postgres://ada@db.example:5433/probity");
            assert!(!format!("{location:?}").contains("hunter2"));
        }
    }
}
