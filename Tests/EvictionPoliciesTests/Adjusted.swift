// SPDX-License-Identifier: GPL-3.0-or-later

/// A policy, or what it is made from, with some of its parameters changed.
func adjusted<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
}
