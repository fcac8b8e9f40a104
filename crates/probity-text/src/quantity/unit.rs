//! What a number is a number of: percent, money, a measure, or a count of things.

use crate::lex::{Token, place, word};

/// What is measured; values are kept in the base unit named here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Metres.
    Length,
    /// Square metres.
    Area,
    /// Litres.
    Volume,
    /// Kilograms.
    Mass,
    /// Seconds, for spans up to weeks.
    Time,
    /// Months, for spans from months up.
    Months,
    /// Degrees Celsius.
    Temperature,
    /// Decibels.
    Sound,
    /// Metres per second.
    Speed,
    /// Joules.
    Energy,
    /// Watts.
    Power,
    /// Volts.
    Voltage,
    /// Hertz.
    Frequency,
    /// Bytes.
    Data,
    /// Pascals.
    Pressure,
}

/// What a number counts or measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Things, named by [`super::Quantity::counts`].
    Count,
    /// Parts of a hundred; `half` and `one in four` are percentages too.
    Percent,
    /// Percentage points.
    Points,
    /// Money, by the name of its currency.
    Money(&'static str),
    /// A measure in the base unit of its dimension.
    Measure(Dimension),
    /// A factor: `twice`, `three times`, `fivefold`.
    Times,
}

/// A unit of measure: its dimension and what takes a value to the base unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub dimension: Dimension,
    pub factor: f64,
    pub offset: f64,
}

/// Dimension, factor to the base unit, names.
const MEASURES: &[(Dimension, f64, &str)] = &[
    (Dimension::Length, 1.0, "m metre metres meter meters"),
    (Dimension::Length, 1e3, "km kilometre kilometres kilometer kilometers kms"),
    (Dimension::Length, 0.01, "cm centimetre centimetres centimeter centimeters"),
    (Dimension::Length, 1e-3, "mm millimetre millimetres millimeter millimeters"),
    (Dimension::Length, 1e-6, "µm μm micron microns micrometre micrometres micrometer micrometers"),
    (Dimension::Length, 1e-9, "nm nanometre nanometres nanometer nanometers"),
    (Dimension::Length, 1_609.344, "mile miles mi"),
    (Dimension::Length, 1_852.0, "nmi"),
    (Dimension::Length, 0.3048, "ft foot feet"),
    (Dimension::Length, 0.9144, "yd yard yards"),
    (Dimension::Length, 0.0254, "inch inches"),
    (Dimension::Area, 1.0, "m² m2 sqm"),
    (Dimension::Area, 1e6, "km² km2"),
    (Dimension::Area, 1e4, "ha hectare hectares"),
    (Dimension::Area, 4_046.856_422_4, "acre acres"),
    (Dimension::Volume, 1.0, "l litre litres liter liters"),
    (Dimension::Volume, 1e-3, "ml millilitre millilitres milliliter milliliters"),
    (Dimension::Volume, 1e3, "m³ m3"),
    (Dimension::Volume, 3.785_411_784, "gallon gallons"),
    (Dimension::Mass, 1.0, "kg kilogram kilograms kilo kilos kilogramme kilogrammes"),
    (Dimension::Mass, 1e-3, "g gram grams gramme grammes"),
    (Dimension::Mass, 1e-6, "mg milligram milligrams"),
    (Dimension::Mass, 1e-9, "µg μg mcg microgram micrograms"),
    (Dimension::Mass, 1e3, "t tonne tonnes ton tons"),
    (Dimension::Mass, 0.453_592_37, "lb lbs"),
    (Dimension::Mass, 0.028_349_523_125, "oz ounce ounces"),
    (Dimension::Time, 1e-3, "ms millisecond milliseconds"),
    (Dimension::Time, 1.0, "s sec secs second seconds"),
    (Dimension::Time, 60.0, "min mins minute minutes"),
    (Dimension::Time, 3_600.0, "h hr hrs hour hours"),
    (Dimension::Time, 86_400.0, "day days"),
    (Dimension::Time, 604_800.0, "week weeks wk wks"),
    (Dimension::Time, 1_209_600.0, "fortnight fortnights"),
    (Dimension::Months, 1.0, "month months"),
    (Dimension::Months, 12.0, "year years yr yrs"),
    (Dimension::Months, 120.0, "decade decades"),
    (Dimension::Months, 1_200.0, "century centuries"),
    (Dimension::Temperature, 1.0, "°c ℃ celsius"),
    (Dimension::Temperature, 5.0 / 9.0, "°f ℉ fahrenheit"),
    (Dimension::Sound, 1.0, "db dba decibel decibels"),
    (Dimension::Speed, 1.0 / 3.6, "km/h kmh kph"),
    (Dimension::Speed, 0.447_04, "mph"),
    (Dimension::Speed, 1.0, "m/s"),
    (Dimension::Speed, 0.514_444_444, "knot knots kn"),
    (Dimension::Energy, 1.0, "j joule joules"),
    (Dimension::Energy, 4_184.0, "kcal"),
    (Dimension::Energy, 3.6e6, "kwh"),
    (Dimension::Energy, 3.6e9, "mwh"),
    (Dimension::Energy, 3.6e12, "gwh"),
    (Dimension::Energy, 3.6e15, "twh"),
    (Dimension::Power, 1.0, "w watt watts"),
    (Dimension::Power, 1e3, "kw kilowatt kilowatts"),
    (Dimension::Power, 1e6, "mw megawatt megawatts"),
    (Dimension::Power, 1e9, "gw gigawatt gigawatts"),
    (Dimension::Voltage, 1.0, "v volt volts"),
    (Dimension::Voltage, 1e3, "kv kilovolt kilovolts"),
    (Dimension::Frequency, 1.0, "hz hertz"),
    (Dimension::Frequency, 1e3, "khz kilohertz"),
    (Dimension::Frequency, 1e6, "mhz megahertz"),
    (Dimension::Frequency, 1e9, "ghz gigahertz"),
    (Dimension::Data, 1e3, "kb kilobyte kilobytes"),
    (Dimension::Data, 1e6, "mb megabyte megabytes"),
    (Dimension::Data, 1e9, "gb gigabyte gigabytes"),
    (Dimension::Data, 1e12, "tb terabyte terabytes"),
    (Dimension::Pressure, 1e2, "hpa mbar millibar millibars"),
    (Dimension::Pressure, 1e3, "kpa"),
    (Dimension::Pressure, 1e5, "bar"),
];

/// Names of money; the first of each is the name kept.
const MONEY: &str = "dollar dollars $ us$ usd bucks|euro euros € eur|pound pounds £ gbp quid sterling|yen ¥ jpy|crown crowns|\
    krone kroner krona kronor kr nok sek dkk|franc francs chf|peso pesos|rupee rupees ₹ inr|\
    yuan renminbi rmb cny|won ₩ krw|ruble rubles rouble roubles ₽|lira liras lire ₺|dinar dinars|\
    shilling shillings|florin florins|ducat ducats|guilder guilders|zloty zlotys|rand|real reais|\
    dirham dirhams|riyal riyals|talent talents|thaler thalers|penny pence pennies|cent cents ¢|mark marks|\
    credit credits|shekel shekels ₪|forint forints|baht";

/// The scale of a unit's name, lower-case.
pub(super) fn measure(name: &str) -> Option<Scale> {
    use std::collections::HashMap;
    use std::sync::LazyLock;
    static SCALES: LazyLock<HashMap<&str, Scale>> = LazyLock::new(|| {
        let each = MEASURES.iter().flat_map(|(dimension, factor, names)| {
            let offset = if names.contains("fahrenheit") { -32.0 } else { 0.0 };
            names
                .split_whitespace()
                .map(move |name| (name, Scale { dimension: *dimension, factor: *factor, offset }))
        });
        each.collect()
    });
    SCALES.get(name).copied()
}

/// The currency a word or sign names, lower-case.
pub(super) fn money(name: &str) -> Option<&'static str> {
    let names = MONEY.split('|').find(|names| place(names, name).is_some())?;
    names.split(' ').next()
}

/// A unit that was read behind a number: what it is, its scale, and how many tokens it took.
pub(super) struct Found {
    pub unit: Unit,
    pub scale: f64,
    pub offset: f64,
    pub used: usize,
}

impl Found {
    fn new(unit: Unit, used: usize) -> Self {
        Self { unit, scale: 1.0, offset: 0.0, used }
    }
}

/// The unit at the front of the tokens, which follow a number.
///
/// Short symbols that are also words (`in`, `a`) or letters (`m`, `t`, `s`) count only where a unit
/// can stand: right behind the number and not before a noun.
pub(super) fn unit(tokens: &[Token<'_>]) -> Option<Found> {
    let word = |at: usize| word(tokens, at);
    let hyphen = usize::from(word(0) == "-");
    let first = word(hyphen);
    match (first, word(hyphen + 1)) {
        ("%" | "٪" | "percent" | "pct" | "prozent" | "percentage", "point" | "points")
        | ("percentage", "-") => return Some(Found::new(Unit::Points, hyphen + 2)),
        ("pp", _) if hyphen == 0 => return Some(Found::new(Unit::Points, 1)),
        ("%" | "٪" | "percent" | "pct" | "prozent", _) => {
            return Some(Found::new(Unit::Percent, hyphen + 1));
        }
        ("per" | "pour" | "por" | "per-cent", "cent" | "ciento" | "cento") => {
            let points = matches!(word(hyphen + 2), "point" | "points");
            return Some(Found::new(
                if points { Unit::Points } else { Unit::Percent },
                hyphen + 2 + usize::from(points),
            ));
        }
        ("times" | "fold", _) => return Some(Found::new(Unit::Times, hyphen + 1)),
        _ => {}
    }
    compound(tokens, hyphen).or_else(|| simple(tokens, hyphen))
}

/// `square metres`, `cubic metres`, `km per hour`, `km/h`, `degrees Celsius`, `° C`, `US dollars`.
fn compound(tokens: &[Token<'_>], hyphen: usize) -> Option<Found> {
    let word = |at: usize| word(tokens, hyphen + at);
    let scaled = |dimension, scale, used| {
        Some(Found { unit: Unit::Measure(dimension), scale, offset: 0.0, used: hyphen + used })
    };
    match (word(0), word(1), word(2)) {
        ("square" | "sq", name, _) => {
            let side = measure(name.trim_end_matches('.'))
                .filter(|scale| scale.dimension == Dimension::Length)?;
            scaled(Dimension::Area, side.factor * side.factor, 2)
        }
        ("cubic", name, _) => {
            let side = measure(name).filter(|scale| scale.dimension == Dimension::Length)?;
            scaled(Dimension::Volume, side.factor.powi(3) * 1e3, 2)
        }
        ("km" | "kilometres" | "kilometers", "/" | "per" | "an", "h" | "hour" | "hr") => {
            scaled(Dimension::Speed, 1.0 / 3.6, 3)
        }
        ("m" | "metres" | "meters", "/" | "per" | "a", "s" | "second") => {
            scaled(Dimension::Speed, 1.0, 3)
        }
        ("miles", "per" | "an", "hour") => scaled(Dimension::Speed, 0.447_04, 3),
        ("nautical", "mile" | "miles", _) => scaled(Dimension::Length, 1_852.0, 2),
        ("kilowatt", "-", "hours" | "hour") => scaled(Dimension::Energy, 3.6e6, 3),
        ("kilowatt", "hours" | "hour", _) => scaled(Dimension::Energy, 3.6e6, 2),
        ("megawatt", "hours" | "hour", _) => scaled(Dimension::Energy, 3.6e9, 2),
        ("degrees" | "degree" | "°" | "º" | "deg", "celsius" | "c" | "centigrade", _) => {
            scaled(Dimension::Temperature, 1.0, 2)
        }
        ("degrees" | "degree" | "°" | "º" | "deg", "fahrenheit" | "f", _) => Some(Found {
            unit: Unit::Measure(Dimension::Temperature),
            scale: 5.0 / 9.0,
            offset: -32.0,
            used: hyphen + 2,
        }),
        ("degrees" | "°", _, _) => scaled(Dimension::Temperature, 1.0, 1),
        ("us" | "u.s." | "american" | "australian" | "canadian", "dollars" | "dollar", _) => {
            Some(Found::new(Unit::Money("dollar"), hyphen + 2))
        }
        _ => None,
    }
}

fn simple(tokens: &[Token<'_>], hyphen: usize) -> Option<Found> {
    let token = tokens.get(hyphen)?;
    let name = token.lower.as_ref();
    if let Some(currency) = money(name) {
        return Some(Found::new(Unit::Money(currency), hyphen + 1));
    }
    let follower = tokens.get(hyphen + 1).map_or("", |token| token.text);
    // "5 m" is metres, "a 5 second head" is time, but "8 s" and "3 t" before a noun are not units.
    const EXTENT: &str =
        "deep long tall high wide thick above below apart away from over under into with";
    let extent = place(EXTENT, follower).is_some();
    let noun_follows =
        follower.chars().count() > 3 && follower.chars().all(char::is_lowercase) && !extent;
    if name.len() == 1
        && (noun_follows
            || hyphen > 0
            || token.is_capital() && name != "w" && name != "v" && name != "j" && name != "l")
    {
        return None;
    }
    let scale = measure(name)?;
    // "MW" is megawatts, "mW" is not worth the doubt; "Mb" and "MB" are both bytes here.
    Some(Found {
        unit: Unit::Measure(scale.dimension),
        scale: scale.factor,
        offset: scale.offset,
        used: hyphen + 1,
    })
}
