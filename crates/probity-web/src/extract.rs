//! Bytes of a page or file → clean text with its metadata.
