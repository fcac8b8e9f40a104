//! Does the cited source say what the sentence says?
