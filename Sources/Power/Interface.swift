// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// One of the radios that carry data; each belongs to one `Network`.
@frozen
public struct Interface: Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Index among the radios.
    public let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The interface with this index, which must be below the number of radios.
    @inlinable
    public init(_ index: Int) { rawValue = UInt8(truncatingIfNeeded: index) }

    /// The interface of a network; nil for no network.
    @inlinable
    public init?(_ network: Network) {
        if network == .none { return nil }
        self.init(rawValue: network.rawValue - 1)
    }

    /// The interface of this name, if any.
    public init?(named name: String) {
        guard let interface = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = interface
    }

    /// All interfaces, in the order of their networks.
    public static let allCases: [Interface] = Network.allCases.compactMap { Interface($0) }

    /// Wi-Fi.
    @inlinable public static var wifi: Interface { Interface(rawValue: 0) }
    /// The mobile network.
    @inlinable public static var cellular: Interface { Interface(rawValue: 1) }

    /// The network that the interface carries.
    public var network: Network { Network(rawValue: rawValue + 1) ?? .none }

    /// The name in model files and tables.
    public var name: String { network.name }

    /// The component to which the energy of the interface is booked.
    @inlinable public var component: Component { Component(rawValue: UInt8(number(first: 3, further: 15))) }

    /// The number of this radio in a list that also has entries other than radios.
    ///
    /// The first two radios are numbered from `first`, further radios from `further`.
    @inlinable
    public func number(first: Int, further: Int) -> Int {
        rawValue < 2 ? first + Int(rawValue) : further + Int(rawValue) - 2
    }

    /// The default figures: a phone has Wi-Fi and a modem but no other radios.
    public var usualParameters: RadioParameters {
        switch self {
        case .wifi: .wifi
        case .cellular: .lte2020
        default: .absent
        }
    }

    /// Whether the radio is on while the given network is in use; otherwise, the radio looks for a network.
    func isOn(with network: Network) -> Bool {
        network != .none && (network == self.network || self.network.staysRegistered)
    }
}

/// A value for each radio, without heap memory.
@frozen
public struct RadioTable<Value> {
    /// Largest number of radios.
    static var capacity: Int { 4 }

    @usableFromInline var values: InlineArray<4, Value>

    /// Creates a table with one value for every radio.
    @inlinable
    public init(_ value: Value) { values = InlineArray(repeating: value) }

    /// The value of a radio.
    ///
    /// The limit of four radios is checked where radios are created.
    @inlinable
    public subscript(interface: Interface) -> Value {
        get { values[unchecked: Int(interface.rawValue)] }
        set { values[unchecked: Int(interface.rawValue)] = newValue }
    }
}

extension RadioTable: Sendable where Value: Sendable {}
extension RadioTable: BitwiseCopyable where Value: BitwiseCopyable {}

/// The constants of every radio of a phone.
public struct RadioParameterTable: Sendable {
    private var parameters = Interface.allCases.map(\.usualParameters)

    /// Creates the usual radios.
    public init() {}

    /// The constants of a radio.
    public subscript(interface: Interface) -> RadioParameters {
        get { parameters[Int(interface.rawValue)] }
        set { parameters[Int(interface.rawValue)] = newValue }
    }
}
