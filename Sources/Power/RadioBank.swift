// SPDX-License-Identifier: GPL-3.0-or-later

/// The radios of a phone, one for each interface, in the order of `Interface.allCases`.
struct RadioBank: ~Copyable {
    let count = Interface.allCases.count
    private let radios: UnsafeMutablePointer<Radio>
    /// Whether any radio may have changed since this was set to false.
    var mayHaveChanged = true

    init(_ parameters: RadioParameterTable, cellularFallback: RadioParameters?, tails: TailAttribution) {
        guard count <= RadioTable<Int>.capacity else { fatalError("there is no room for another radio in RadioTable") }
        radios = .allocate(capacity: count)
        for interface in Interface.allCases {
            (radios + Int(interface.rawValue)).initialize(
                to: Radio(
                    parameters[interface], fallback: interface == .cellular ? cellularFallback : nil,
                    interface: interface, tails: tails))
        }
    }

    init(copying other: borrowing RadioBank) {
        radios = .allocate(capacity: count)
        for index in 0..<count { (radios + index).initialize(to: Radio(copying: other.radios[index])) }
    }

    deinit {
        radios.deinitialize(count: count)
        radios.deallocate()
    }

    /// The radio of an interface, accessed in memory, because a copy would cost more than the rest of most events.
    @inline(__always)
    subscript(interface: Interface) -> Radio {
        unsafeAddress { UnsafePointer(radios + Int(interface.rawValue)) }
        unsafeMutableAddress {
            mayHaveChanged = true
            return radios + Int(interface.rawValue)
        }
    }

    /// The radio of an index below `count`.
    @inline(__always)
    subscript(index: Int) -> Radio {
        unsafeAddress { UnsafePointer(radios + index) }
        unsafeMutableAddress {
            mayHaveChanged = true
            return radios + index
        }
    }

    /// Whether a transfer on an interface would need no promotion now; read after every event.
    @inline(__always)
    func isUp(_ interface: Interface) -> Bool { (radios + Int(interface.rawValue)).pointee.phase.isUp }

    /// Watts that all radios draw now.
    var power: Double {
        var watts = 0.0
        for index in 0..<count { watts += radios[index].power }
        return watts
    }

    /// Watts that the radios draw for no app in particular.
    var idlePower: Double {
        var watts = 0.0
        for index in 0..<count { watts += radios[index].idlePower }
        return watts
    }
}
