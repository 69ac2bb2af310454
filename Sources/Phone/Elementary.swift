import Glibc

/// The natural logarithm.
@inline(__always) func logarithm(_ value: Double) -> Double { log(value) }

/// e to a power.
@inline(__always) func exponential(_ value: Double) -> Double { exp(value) }
