//! One store on SQLite or PostgreSQL: the only crate that speaks SQL.
