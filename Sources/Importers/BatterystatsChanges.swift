// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// A change in an entry of a battery history that shows how the phone was used.
enum BatterystatsChange: Equatable {
    case screen(Bool), wifi(Bool), plug(Bool)
    /// Whether the phone is in reach of a cellular network.
    case service(Bool)
    /// Level of the cellular signal.
    case signal(SignalLevel)
    /// App on screen, by the number of its name; nil when the name was removed from the history.
    case top(Int?)
    /// An app or a new version of it was installed.
    case installed(Int)
    /// A job of an app was started.
    case job(Int)
    /// Charge counter, in mAh.
    case charge(Double)
}

/// Collects the changes of one entry, and the names of apps in all entries.
struct BatterystatsChanges {
    private(set) var list: [BatterystatsChange] = []
    private(set) var apps = NameTable()

    /// Words of Android's `SignalStrength.SIGNAL_STRENGTH_NAMES`.
    ///
    /// The word `none` means a signal that is too weak for a bar.
    static let signals: [(word: StaticString, level: SignalLevel)] = [
        ("none", .veryPoor), ("poor", .poor), ("moderate", .moderate), ("good", .good), ("great", .excellent),
    ]

    mutating func add(_ change: BatterystatsChange) { list.append(change) }

    /// Removes all changes before another entry is read.
    mutating func clear() { list.removeAll(keepingCapacity: true) }

    /// Adds the change that a word of the long forms describes, such as `+screen`, `plug=usb` or
    /// `+top=u0a123:"com.example"`.
    mutating func add(_ word: Range<Int>, in table: ForeignTable) {
        let bytes = table.bytes
        switch bytes[word.lowerBound] {
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let isOn = bytes[word.lowerBound] == UInt8(ascii: "+")
            let rest = word.lowerBound + 1..<word.upperBound
            if bytes.equals(rest, "screen") {
                list.append(.screen(isOn))
            } else if bytes.equals(rest, "wifi") {
                list.append(.wifi(isOn))
            } else if isOn, bytes.begins(rest, "top=") {
                addTop(rest, in: table)
            } else if isOn, bytes.begins(rest, "job="), let app = quotedName(rest, in: table) {
                list.append(.job(packageOfJob(app)))
            }
        case UInt8(ascii: "t"): if bytes.begins(word, "top=") { addTop(word, in: table) }
        case UInt8(ascii: "c"):
            if bytes.begins(word, "charge="), let charge = bytes.digits(word.lowerBound + 7..<word.upperBound) {
                list.append(.charge(Double(charge)))
            }
        case UInt8(ascii: "p"):
            if bytes.begins(word, "pkginst=") {
                if let app = quotedName(word, in: table) { list.append(.installed(app)) }
            } else if bytes.begins(word, "plug=") {
                list.append(.plug(!bytes.equals(word, "plug=none")))
            } else if bytes.begins(word, "phone_state=") {
                list.append(.service(bytes.equals(word, "phone_state=in")))
            } else if bytes.begins(word, "phone_signal_strength=") {
                let level = word.lowerBound + 22..<word.upperBound
                if let signal = Self.signals.first(where: { bytes.equals(level, $0.word) }) {
                    list.append(.signal(signal.level))
                }
            }
        default: break
        }
    }

    private mutating func addTop(_ word: Range<Int>, in table: ForeignTable) {
        list.append(.top(quotedName(word, in: table)))
    }

    /// The number of the name between quotes.
    private mutating func quotedName(_ word: Range<Int>, in table: ForeignTable) -> Int? {
        var parts = ByteLine(table.bytes, word)
        _ = parts.field(separator: UInt8(ascii: "\""))
        return name(parts.field(separator: UInt8(ascii: "\"")), in: table)
    }

    /// The number of the name in a range; nil when the name was removed.
    mutating func name(_ range: Range<Int>?, in table: ForeignTable) -> Int? {
        guard let range, !range.isEmpty, table.bytes[range.lowerBound] != UInt8(ascii: "<") else { return nil }
        return apps.index(ForeignTable.Field(bytes: range), in: table)
    }

    /// Number of the app of a job with a name such as `com.example.mail/.SyncService` or `@tag@com.example.mail/…`.
    mutating func packageOfJob(_ name: Int) -> Int {
        let parts = apps.names[name].split(separator: "@")
        let component = parts.last { $0.contains("/") } ?? parts.last ?? ""
        let package = component.split(separator: "/").first.map(String.init) ?? apps.names[name]
        return apps.index(package)
    }
}
