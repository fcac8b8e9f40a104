//! What a URL is worth, whose page it is, and how that opinion learns. Pure: no input or output.
