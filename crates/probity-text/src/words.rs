//! Text → words → content words → stems.
