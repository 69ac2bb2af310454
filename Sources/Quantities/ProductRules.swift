// SPDX-License-Identifier: GPL-3.0-or-later
// This file contains every rule that joins two different dimensions.

/// Energy is power over time.
@inlinable @inline(__always)
public func * (left: Power, right: SimDuration) -> Energy { Energy(rawValue: left.rawValue * right.seconds) }

/// Mean power is energy over time.
@inlinable @inline(__always)
public func / (left: Energy, right: SimDuration) -> Power { Power(rawValue: left.rawValue / right.seconds) }

/// Charge is current over time.
@inlinable @inline(__always)
public func * (left: Current, right: SimDuration) -> Charge { Charge(rawValue: left.rawValue * right.seconds) }

/// Power is voltage times current.
@inlinable @inline(__always)
public func * (left: Voltage, right: Current) -> Power { Power(rawValue: left.rawValue * right.rawValue) }

/// Current is power over voltage.
@inlinable @inline(__always)
public func / (left: Power, right: Voltage) -> Current { Current(rawValue: left.rawValue / right.rawValue) }

/// Voltage across a resistance.
@inlinable @inline(__always)
public func * (left: Current, right: Resistance) -> Voltage { Voltage(rawValue: left.rawValue * right.rawValue) }

/// Energy of a charge that moves through a voltage.
@inlinable @inline(__always)
public func * (left: Charge, right: Voltage) -> Energy { Energy(rawValue: left.rawValue * right.rawValue) }

/// Transfer time of a number of bytes at a rate, rounded to the nearest nanosecond.
@inlinable @inline(__always)
public func / (left: ByteCount, right: DataRate) -> SimDuration {
    .seconds(Double(left.bytes) * 8 / right.rawValue)
}

/// Time in which a power transfers an energy.
@inlinable
public func / (left: Energy, right: Power) -> SimDuration { .seconds(left.rawValue / right.rawValue) }
