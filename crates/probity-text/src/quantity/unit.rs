//! What a number is a number of: percent, money, a measure, or a count of things.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lex::{Token, place, word};

/// What a number counts or measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Things, such as people or ships.
    Count,
    /// Parts of a hundred; `half` and `a quarter` are percentages too.
    Percent,
    /// Money, by the name of its currency.
    Money(&'static str),
    /// A measure, by the name of its base unit.
    Measure(&'static str),
}

/// Base units, and the names of units with what takes each to the base unit. A plural need not be named.
const MEASURES: &[(&str, &str)] = &[
    (
        "metre",
        "1 m metre meter mètre metros metri metrów|\
         1e3 km kms kilometre kilometer kilomètre kilómetro quilómetro quilômetro chilometro chilometri kilometrów|.01 cm centimetre centimeter|.001 mm millimetre millimeter|\
         1e-6 µm μm micron micrometre micrometer|1e-9 nm nanometre nanometer|1609.344 mi mile|1852 nmi|\
         .3048 ft foot feet|.9144 yd yard|.0254 inch inches",
    ),
    (
        "square metre",
        "1 m² m2 sqm|1e6 km² km2|1e4 ha hectare hektar hectárea ettaro ettari|4046.8564224 acre",
    ),
    ("litre", "1 l litre liter|.001 ml millilitre milliliter|1e3 m³ m3|3.785411784 gallon"),
    (
        "kilogram",
        "1 kg kilo kilogram kilogramme|.001 g gram gramme|1e-6 mg milligram|1e-9 µg μg mcg microgram|1e3 t tonne ton tonnen tonelada tonnellata tonnellate|\
         .45359237 lb lbs|.028349523125 oz ounce",
    ),
    (
        "second",
        ".001 ms millisecond|1 s sec second sekunden sekunder seconde seconden segundo secondi sekund|\
         60 min minute minuten minuter minuto minuti minuty minut|\
         3600 h hr hrs hour stunde stunden heure hora ore uren godzina godziny godzin timme timmar|\
         86400 day tage tagen jour día dia giorno giorni dagen dagar dni|\
         604800 wk wks week woche wochen semaine semana settimana settimane weken veckor tygodnie tygodni|\
         1209600 fortnight",
    ),
    (
        "month",
        "1 month monate monaten mois meses mesi maanden månader miesiące miesięcy|\
         12 yr yrs year jahre jahren ans année año ano anni jaren år lata lat|120 decade|1200 century centuries",
    ),
    ("degree", "1 degree ° º °c ℃ celsius"),
    ("decibel", "1 db dba decibel"),
    ("metre per second", ".2777777777777778 kmh kph|.44704 mph|.514444444 kn knot"),
    ("joule", "1 j joule|4184 kcal|3.6e6 kwh|3.6e9 mwh|3.6e12 gwh|3.6e15 twh"),
    ("watt", "1 w watt|1e3 kw kilowatt|1e6 mw megawatt|1e9 gw gigawatt"),
    ("hertz", "1 hz hertz|1e3 khz kilohertz|1e6 mhz megahertz|1e9 ghz gigahertz"),
    ("byte", "1 byte|1e3 kb kilobyte|1e6 mb megabyte|1e9 gb gigabyte|1e12 tb terabyte"),
    ("place in an order", "1 st nd rd th"),
];

/// Names of money; the first of each is the name kept.
const MONEY: &str = "dollar dollars $ us$ usd bucks dólar dólares dollari dollarów|euro euros € eur|pound pounds £ gbp quid sterling|yen ¥ jpy|crown crowns|\
    krone kroner krona kronor kr nok sek dkk|franc francs chf|peso pesos|rupee rupees ₹ inr|\
    yuan renminbi rmb cny|won ₩ krw|ruble rubles rouble roubles ₽|lira liras lire ₺|dinar dinars|\
    shilling shillings|florin florins|ducat ducats|guilder guilders|zloty zlotys zł złoty złote złotych pln|rand|real reais brl|\
    dirham dirhams|riyal riyals|talent talents|thaler thalers|penny pence pennies|cent cents ¢|mark marks|\
    credit credits|shekel shekels ₪|forint forints|baht";

/// The base unit of a unit's name, lower-case, and what takes it there.
pub(super) fn measure(name: &str) -> Option<(&'static str, f64)> {
    static UNITS: LazyLock<HashMap<&str, (&str, f64)>> = LazyLock::new(|| {
        let rows = MEASURES.iter().flat_map(|(base, units)| {
            units.split('|').filter_map(move |unit| {
                let (factor, names) = unit.split_once(' ')?;
                let factor = factor.parse().ok()?;
                Some(names.split(' ').map(move |name| (name, (*base, factor))))
            })
        });
        rows.flatten().collect()
    });
    let single = || name.strip_suffix('s').filter(|single| single.len() > 2);
    UNITS.get(name).or_else(|| UNITS.get(single()?)).copied()
}

/// The currency a word or sign names, lower-case.
pub(super) fn money(name: &str) -> Option<&'static str> {
    let names = MONEY.split('|').find(|names| place(names, name).is_some())?;
    names.split(' ').next()
}

/// A unit that was read behind a number: what it is, what takes a value to its base unit, and how many tokens it took.
pub(super) struct Found {
    pub unit: Unit,
    pub scale: f64,
    pub offset: f64,
    pub used: usize,
}

/// The unit at the front of the tokens, which follow a number.
pub(super) fn unit(tokens: &[Token<'_>]) -> Option<Found> {
    let hyphen = usize::from(word(tokens, 0) == "-");
    let tokens = tokens.get(hyphen..)?;
    let found = percent(tokens).or_else(|| compound(tokens)).or_else(|| simple(tokens))?;
    Some(Found { used: hyphen + found.used, ..found })
}

fn plain(unit: Unit, scale: f64, used: usize) -> Found {
    Found { unit, scale, offset: 0.0, used }
}

/// `percent` and `percentage points` in other languages, where they are one word.
const PERCENT: &str = "prozent procent prosent prosenttia процент процента процентов";
const POINTS: &str = "prozentpunkt prozentpunkte prozentpunkten procentpunt procentpunten procentenhet procentenheter";

fn percent(tokens: &[Token<'_>]) -> Option<Found> {
    let used = match (word(tokens, 0), word(tokens, 1)) {
        ("%" | "٪" | "percent" | "pct" | "percentage", _) => 1,
        (word, _) if place(PERCENT, word).is_some() => 1,
        (word, _) if place(POINTS, word).is_some() => {
            return Some(plain(Unit::Measure("percentage point"), 1.0, 1));
        }
        ("per" | "pour" | "por", "cent" | "ciento" | "cento") => 2,
        _ => return None,
    };
    match word(tokens, used) {
        "point" | "points" => Some(plain(Unit::Measure("percentage point"), 1.0, used + 1)),
        _ if word(tokens, 0) == "percentage" => None,
        _ => Some(plain(Unit::Percent, 1.0, used)),
    }
}

/// `square metres`, `km per hour`, `kilowatt-hours`, `degrees Fahrenheit`, `US dollars`.
fn compound(tokens: &[Token<'_>]) -> Option<Found> {
    let (first, second, third) = (word(tokens, 0), word(tokens, 1), word(tokens, 2));
    let length = |name: &str| measure(name).filter(|(base, _)| *base == "metre").map(|one| one.1);
    let (base, scale, used) = match (first, second) {
        ("square" | "sq", name) => ("square metre", length(name)?.powi(2), 2),
        ("cubic", name) => ("litre", length(name)?.powi(3) * 1e3, 2),
        ("nautical", "mile" | "miles") => ("metre", 1_852.0, 2),
        ("us" | "american" | "australian" | "canadian", "dollar" | "dollars") => {
            return Some(plain(Unit::Money("dollar"), 1.0, 2));
        }
        (_, "fahrenheit" | "f") if matches!(first, "degrees" | "degree" | "°" | "º") => {
            let unit = Unit::Measure("degree");
            return Some(Found { unit, scale: 5.0 / 9.0, offset: -32.0, used: 2 });
        }
        (_, "celsius" | "c") if matches!(first, "degrees" | "degree" | "°" | "º") => {
            ("degree", 1.0, 2)
        }
        (_, "/" | "per" | "an" | "a") => match (length(first)?, third) {
            (length, "h" | "hr" | "hour") => ("metre per second", length / 3_600.0, 3),
            (length, "s" | "second") => ("metre per second", length, 3),
            _ => return None,
        },
        (_, "hour" | "hours") | (_, "-") => {
            let (_, watts) = measure(first).filter(|(base, _)| *base == "watt")?;
            let hyphen = usize::from(second == "-");
            matches!(word(tokens, 1 + hyphen), "hour" | "hours").then_some((
                "joule",
                watts * 3_600.0,
                2 + hyphen,
            ))?
        }
        _ => return None,
    };
    Some(plain(Unit::Measure(base), scale, used))
}

/// Units of one word. Symbols of one letter count only where a unit can stand: right behind the number and not before a
/// noun.
fn simple(tokens: &[Token<'_>]) -> Option<Found> {
    let token = tokens.first()?;
    let name = token.lower.as_ref();
    if let Some(currency) = money(name) {
        return Some(plain(Unit::Money(currency), 1.0, 1));
    }
    let (base, scale) = measure(name)?;
    // "5 m" is metres, but "3 t" before a noun is no unit.
    const EXTENT: &str =
        "deep long tall high wide thick above below apart away from over under into with";
    let follower = tokens.get(1).map_or("", |token| token.text);
    let noun_follows = follower.chars().count() > 3
        && follower.chars().all(char::is_lowercase)
        && place(EXTENT, follower).is_none();
    let capital = token.is_capital() && place("w j l", name).is_none();
    let doubtful = name.len() == 1 && (noun_follows || capital);
    let ending = base == "place in an order" && !token.joined;
    (!doubtful && !ending).then(|| plain(Unit::Measure(base), scale, 1))
}
