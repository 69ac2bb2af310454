// SPDX-License-Identifier: GPL-3.0-or-later

/// The network that the phone uses.
///
/// Each case but `none` has its own radio, with an `Interface` in `Power`.
///
/// This file contains all differences between radios except their figures. To add a radio, add a case here, a line in
/// each property, and a file of figures. A phone without that file lacks the radio.
public enum Network: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case none, wifi, cellular

    /// Name of the network and of its radio in files, tables and metrics.
    public var name: String {
        switch self {
        case .none: "none"
        case .wifi: "wifi"
        case .cellular: "cellular"
        }
    }

    /// All names, as a list for messages.
    public static var alternatives: String {
        let names = allCases.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }

    /// Words for the network and its radio in `columns.csv`.
    public var words: (network: String, radio: String) {
        switch self {
        case .none: ("no network", "no radio")
        case .wifi: ("Wi-Fi", "Wi-Fi")
        case .cellular: ("the cellular network", "the cellular modem")
        }
    }

    /// Whether the radio stays registered, and finishes its transfers, while another network is in use.
    public var staysRegistered: Bool {
        switch self {
        case .none, .wifi: false
        case .cellular: true
        }
    }

    /// Whether users must save bytes on this network.
    public var isMetered: Bool {
        switch self {
        case .none, .wifi: false
        case .cellular: true
        }
    }
}
