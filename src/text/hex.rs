//! Bytes as lower-case hexadecimal digits.

use std::fmt;

/// Writes the two digits of each byte. They are written at once: to ask a formatter for each byte
/// takes many times as long.
pub(crate) fn write_hex<const N: usize>(bytes: &[u8; N], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(str::from_utf8(hex_digits(bytes).as_flattened()).unwrap_or_default())
}

/// Returns the two digits of each byte, in ASCII.
pub(crate) fn hex_digits<const N: usize>(bytes: &[u8; N]) -> [[u8; 2]; N] {
    bytes.map(|byte| [digit(byte >> 4), digit(byte & 0xF)])
}

const fn digit(half: u8) -> u8 {
    if half < 10 { b'0' + half } else { b'a' + half - 10 }
}
