//! Which language a text is in, as far as stems and stopwords are concerned.
