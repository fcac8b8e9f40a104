//! Query → hits, from many providers merged into one list.
