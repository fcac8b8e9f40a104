//! Extraction on whole pages: how much of the gold text comes out, and what hostile pages do.

mod bombs;
mod formats;
mod gold;
mod hostile;
mod in_time;
mod listings;
mod office;
mod told;
mod white_letters;
