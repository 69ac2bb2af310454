// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// One of the radios that carry data; everything that tells them apart stands in this file.
///
/// Another radio is a case here with its line in each property, its component, its network and a file of figures.
public enum Interface: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case wifi, cellular

    /// The name in model files and tables.
    public var name: String { component.name }

    /// The component to which its energy is booked.
    public var component: Component {
        switch self {
        case .wifi: .wifi
        case .cellular: .cellular
        }
    }

    /// The network that it carries.
    public var network: Network {
        switch self {
        case .wifi: .wifi
        case .cellular: .cellular
        }
    }

    /// Whether it stays registered, and finishes its transfers, while another network is in use.
    var staysRegistered: Bool {
        switch self {
        case .wifi: false
        case .cellular: true
        }
    }

    /// The figures of a phone that does not say otherwise.
    public var usualParameters: RadioParameters {
        switch self {
        case .wifi: .wifi
        case .cellular: .lte2020
        }
    }

    /// The interface of a network; nil for no network.
    public init?(_ network: Network) {
        switch network {
        case .none: return nil
        case .wifi: self = .wifi
        case .cellular: self = .cellular
        }
    }

    /// The interface of this name, if any.
    public init?(named name: String) {
        guard let interface = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = interface
    }

    /// Whether it is on while a network is in use; a radio that is off looks for a network.
    func isOn(with network: Network) -> Bool { network != .none && (network == self.network || staysRegistered) }
}

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
