//! Draft → citation check → report in every format. Pure: no input or output.

pub mod check;
