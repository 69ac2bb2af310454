import Glibc

/// The C library's power function; nothing else of the C library is used here but `exp`.
func elementaryPower(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

/// The C library's exponential function.
func elementaryExponential(_ x: Double) -> Double { exp(x) }
