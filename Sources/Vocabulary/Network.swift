// SPDX-License-Identifier: GPL-3.0-or-later

/// The network the phone is on; each but `none` has a radio of its own, its `Interface` in `Power`.
///
/// Everything that tells radios apart stands in this file, but for their figures. Another radio is a case here with its
/// line in each property, and a file of figures; a phone without that file lacks the radio.
public enum Network: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case none, wifi, cellular

    /// The name of the network and of its radio in files, tables and metrics.
    public var name: String {
        switch self {
        case .none: "none"
        case .wifi: "wifi"
        case .cellular: "cellular"
        }
    }

    /// All names, as a message lists them.
    public static var alternatives: String {
        let names = allCases.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }

    /// What `columns.csv` calls the network, and its radio.
    public var words: (network: String, radio: String) {
        switch self {
        case .none: ("no network", "no radio")
        case .wifi: ("Wi-Fi", "Wi-Fi")
        case .cellular: ("the cellular network", "the cellular modem")
        }
    }

    /// Whether its radio stays registered, and finishes its transfers, while another network is in use.
    public var staysRegistered: Bool {
        switch self {
        case .none, .wifi: false
        case .cellular: true
        }
    }

    /// Whether users mind bytes over it.
    public var isMetered: Bool {
        switch self {
        case .none, .wifi: false
        case .cellular: true
        }
    }
}
