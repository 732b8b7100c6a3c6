//! Floating-point numbers, which are shown and never read: no value that is sent passes through one.

use num_bigint::{BigInt, BigUint};

/// Writes the shortest decimal text that names this `float64`, after `≈` where the number is not
/// exactly that.
#[must_use]
pub fn show_f64(value: f64) -> String {
    let text = format!("{value:?}");
    mark(value, text)
}

/// Writes the shortest decimal text that names this `float32`, after `≈` where the number is not
/// exactly that.
#[must_use]
pub fn show_f32(value: f32) -> String {
    let text = format!("{value:?}");
    mark(value.into(), text)
}

fn mark(value: f64, text: String) -> String {
    if !value.is_finite() || is_exactly(value, &text) {
        text
    } else {
        format!("≈{text}")
    }
}

/// Whether a finite float is the number that the text says: `-1.25`, `1e300`.
fn is_exactly(value: f64, text: &str) -> bool {
    // value = mantissa · 2^exponent, by IEEE 754's binary64 layout.
    let bits = value.to_bits();
    let biased = i64::try_from(bits >> 52 & 0x7ff).expect("eleven bits fit");
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = if biased == 0 {
        (fraction, -1_074)
    } else {
        (fraction | 1 << 52, biased - 1_075)
    };
    let Some((digits, decimal)) = decimal_parts(text) else {
        return false;
    };
    // Both sides times 2^s · 10^t, so that they are whole.
    let power = |base: u32, exp: i64| BigUint::from(base).pow(u32::try_from(exp).unwrap_or(0));
    let left = BigUint::from(mantissa) * power(2, exponent.max(0)) * power(10, (-decimal).max(0));
    let right = digits * power(10, decimal.max(0)) * power(2, (-exponent).max(0));
    left == right
}

/// The digits of a decimal text without its sign and point, and the power of ten they stand for.
fn decimal_parts(text: &str) -> Option<(BigUint, i64)> {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (number, exponent) = match text.split_once('e') {
        Some((number, exponent)) => (number, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let shift = i64::try_from(fraction.len()).ok()?;
    Some((digits.to_biguint()?, exponent - shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_inexact_text_says_so() {
        assert_eq!(show_f64(0.5), "0.5");
        assert_eq!(show_f64(-1.25), "-1.25");
        assert_eq!(show_f64(0.1), "≈0.1");
        assert_eq!(show_f32(0.1), "≈0.1");
        assert_eq!(show_f32(0.25), "0.25");
        assert_eq!(show_f64(1e300), "≈1e300");
        assert_eq!(show_f64(1e22), "1e22");
        assert_eq!(show_f64(5e-324), "≈5e-324");
        assert_eq!(show_f64(0.0), "0.0");
        assert_eq!(show_f64(-0.0), "-0.0");
        assert_eq!(show_f64(f64::NAN), "NaN");
        assert_eq!(show_f64(f64::NEG_INFINITY), "-inf");
    }

    proptest! {
        #[test]
        fn the_text_names_the_same_float(bits: u64, bits32: u32) {
            let (wide, narrow) = (f64::from_bits(bits), f32::from_bits(bits32));
            let read = |text: &str| text.trim_start_matches('≈').parse::<f64>().unwrap();
            let read32 = |text: &str| text.trim_start_matches('≈').parse::<f32>().unwrap();
            prop_assert!(wide.is_nan() || read(&show_f64(wide)).to_bits() == bits);
            prop_assert!(narrow.is_nan() || read32(&show_f32(narrow)).to_bits() == bits32);
        }

        #[test]
        fn whole_numbers_are_exact(value in -(1_i64 << 53)..=(1_i64 << 53)) {
            #[expect(clippy::cast_precision_loss, reason = "the range is exact")]
            let text = show_f64(value as f64);
            prop_assert!(!text.starts_with('≈'), "{}", text);
        }
    }
}
