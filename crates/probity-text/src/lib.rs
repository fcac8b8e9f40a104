//! Words, stems, sentences, embeddings and relevance. Pure: no input or output.
