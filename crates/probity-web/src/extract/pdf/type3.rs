//! Fonts that draw their letters by programs (Type 3): widths in the font's own units → widths as
//! every other font states them.

use pdfboss_core::{Dict, Name, Object};

/// How many units every other font has to its size.
const UNITS: f64 = 1_000.0;
/// A font shows at most one letter for each byte.
const MAX_WIDTHS: usize = 256;

/// Gives a Type 3 font widths in thousandths of its size, which the reader takes all widths for.
/// Other dictionaries stay as they are.
pub(super) fn with_plain_widths(object: Object, resolve: impl Fn(&Object) -> Object) -> Object {
    let Object::Dict(mut dict) = object else { return object };
    let Some(scale) = scale(&dict, &resolve) else { return Object::Dict(dict) };
    let widths = dict.get("Widths").map(&resolve);
    if let Some(Object::Array(widths)) = widths {
        let widths = widths
            .iter()
            .take(MAX_WIDTHS)
            .map(|width| Object::Real(resolve(width).as_f64().unwrap_or_default() * scale));
        let widths = Object::Array(widths.collect());
        dict.insert(Name("Widths".to_owned()), widths);
    }
    Object::Dict(dict)
}

/// By how much the widths of a Type 3 font are to be multiplied, if at all.
fn scale(dict: &Dict, resolve: &impl Fn(&Object) -> Object) -> Option<f64> {
    dict.get_name("Subtype").filter(|name| name.0 == "Type3")?;
    let matrix = resolve(dict.get("FontMatrix")?);
    let across = resolve(matrix.as_array()?.first()?).as_f64()?.abs();
    Some(across * UNITS).filter(|scale| scale.is_finite() && *scale > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn font(subtype: &str) -> Object {
        let mut dict = Dict::new();
        let matrix = [0.01, 0.0, 0.0, 0.01, 0.0, 0.0].map(Object::Real);
        dict.insert(Name("Subtype".to_owned()), Object::Name(Name(subtype.to_owned())));
        dict.insert(Name("FontMatrix".to_owned()), Object::Array(matrix.to_vec()));
        dict.insert(Name("Widths".to_owned()), Object::Array(vec![Object::Int(50)]));
        Object::Dict(dict)
    }

    fn first_width(object: &Object) -> Option<f64> {
        object.as_dict()?.get_array("Widths")?.first()?.as_f64()
    }

    #[test]
    fn a_font_of_programs_is_as_wide_as_its_matrix_says() {
        let plain = |subtype| with_plain_widths(font(subtype), Object::clone);
        assert_eq!(first_width(&plain("Type3")), Some(500.0));
        assert_eq!(first_width(&plain("Type1")), Some(50.0));
        assert_eq!(with_plain_widths(Object::Int(3), Object::clone).as_int(), Some(3));
    }
}
