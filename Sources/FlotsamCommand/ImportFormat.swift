// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Importers
import Quantities
import Recording

/// Foreign format that `flotsam data import` reads; a new format needs its own file and one line in
/// `DataImportVerb.formats`.
protocol ImportFormat: SendableMetatype {
    /// The word that the user types.
    static var name: String { get }
    /// Options of the format besides the output; formats share an option through one value of `ImportOption`.
    static var options: [ImportOption] { get }
    /// Whether the result is always a file, so that the user must name an output.
    static var needsOutput: Bool { get }
    /// Reads the files and writes the result; returns the exit code.
    static func run(_ job: ImportJob) throws -> Int32
}

extension ImportFormat {
    static var needsOutput: Bool { true }
}

/// One option of one or several formats.
struct ImportOption: Equatable {
    /// Kinds of values that an option takes.
    enum Kind {
        case flag, text, number
    }

    /// The name, for instance `--zone`.
    let name: String
    let kind: Kind
    /// Word for the option's value in the help.
    let value: String
    let help: String
    /// Example value for a required option; nil if the option is not required.
    var required: String?

    init(_ name: String, _ kind: Kind = .text, value: String = "", help: String, required: String? = nil) {
        self.name = name
        self.kind = kind
        self.value = value
        self.help = help
        self.required = required
    }

    /// Copy of this option that is required.
    func required(example: String) -> ImportOption {
        var option = self
        option.required = example
        return option
    }

    static let zone = ImportOption("--zone", value: "Z", help: "time zone of the phone")
    static let origin = ImportOption("--origin", value: "TEXT", help: "source of the files")
    static let made = ImportOption("--name", value: "N", help: "name of the result")
    static let ram = ImportOption("--ram", value: "R", help: "memory, for instance '8 GiB'")
    static let dates = ImportOption(
        "--dates", value: "ORDER", help: "order of dates: day-first, month-first or year-first (default: detected)")
    static let idleRest = ImportOption(
        "--idle-rest", .flag, help: "assume that the phone was not in use for the rest of the first and the last day")
}

/// One call of `flotsam data import`.
struct ImportJob {
    /// The value of an option.
    enum Value {
        case flag(Bool)
        case text(String)
        case number(Double)
    }

    /// The foreign files.
    var files: [String]
    /// File for the result; nil if the user did not name one.
    var output: OutputTarget?
    /// Line that marks an imported file.
    let mark: String
    /// Values by the name of the option.
    let values: [String: Value]

    /// Whether a flag is set.
    func isSet(_ option: ImportOption) -> Bool {
        if case .flag(true) = values[option.name] { true } else { false }
    }

    /// Text of an option; nil if it is not given.
    func text(_ option: ImportOption) -> String? {
        if case .text(let text) = values[option.name] { text } else { nil }
    }

    /// Number of an option; nil if it is not given.
    func number(_ option: ImportOption) -> Double? {
        if case .number(let number) = values[option.name] { number } else { nil }
    }

    /// Size of memory from `--ram`.
    func memory() throws(Diagnostics) -> ByteCount? {
        guard let text = text(.ram) else { return nil }
        let bytes: Double
        do throws(UnitTextError) {
            bytes = try UnitText.parse(text, as: .bytes)
        } catch {
            throw Diagnostics("--ram: \(error.message)")
        }
        guard (1...1e15).contains(bytes) else { throw Diagnostics("--ram: no phone has \(text)") }
        return ByteCount(Int64(bytes.rounded()))
    }

    /// Order of day, month and year from `--dates`; nil if the order must be detected.
    func dateOrder() throws(Diagnostics) -> DateOrder? {
        guard let text = text(.dates) else { return nil }
        guard let order = DateOrder(rawValue: text) else {
            throw Diagnostics("--dates expects day-first, month-first or year-first, found \"\(text)\"")
        }
        return order
    }

    /// The only file, for a format that reads a single file.
    func onlyFile(of format: any ImportFormat.Type) throws(Diagnostics) -> String {
        guard files.count == 1 else { throw Diagnostics("\(format.name) reads one file, found \(files.count)") }
        return files[0]
    }
}
