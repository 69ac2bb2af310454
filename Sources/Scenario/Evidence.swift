// SPDX-License-Identifier: GPL-3.0-or-later
import Files

/// Results of predictions that were compared with measured phones, from `models/evidence.csv`.
///
/// `flotsam validate --evidence` writes this file.
public struct Evidence: Sendable, Equatable {
    /// A device model with a system.
    public struct Phone: Sendable, Equatable {
        /// Name of the device model, and name of the system's generation.
        public let device, system: String

        /// Creates a phone.
        public init(device: String, system: String) { (self.device, self.system) = (device, system) }
    }

    /// A prediction for a phone.
    public struct Row: Sendable, Equatable {
        /// Name of the experiment, and identifier of the target.
        public let experiment, id: String
        /// Phone that the prediction is about.
        public let phone: Phone
        /// Whether the prediction is met.
        public let isMet: Bool

        /// Creates a row.
        public init(experiment: String, id: String, phone: Phone, isMet: Bool) {
            (self.experiment, self.id, self.phone, self.isMet) = (experiment, id, phone, isMet)
        }
    }

    /// Predictions, in the order of the file.
    public let rows: [Row]

    /// Name of the file in a folder of models.
    public static let name = "evidence.csv"
    private static let header = "experiment,id,device,system,verdict"
    /// Largest size of the file, in bytes.
    private static let largest = 1 << 20

    /// Creates evidence.
    public init(_ rows: [Row]) { self.rows = rows }

    /// Reads the evidence from the first folder of a library that contains the file; empty if the file cannot be read.
    public init(_ library: ModelLibrary) {
        let file = library.folders.lazy.map { FilePath.join($0, Self.name) }.first { FilePath.exists($0) }
        let text = file.flatMap { try? readFile($0, upTo: Self.largest) }.map { String(decoding: $0, as: UTF8.self) }
        let lines = (text ?? "").split(separator: "\n").dropFirst()
        rows = lines.compactMap { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 5 else { return nil }
            let phone = Phone(device: cells[2], system: cells[3])
            return Row(experiment: cells[0], id: cells[1], phone: phone, isMet: cells[4] == "met")
        }
    }

    /// Content of the file.
    public var text: String {
        rows.reduce(Self.header + "\n") { text, row in
            let (phone, verdict) = (row.phone, row.isMet ? "met" : "not met")
            return text + "\(row.experiment),\(row.id),\(phone.device),\(phone.system),\(verdict)\n"
        }
    }

    /// Clause about the predictions for a phone and how many of them are met.
    public func clause(of phone: Phone) -> String {
        let own = rows.filter { $0.phone == phone }
        if own.isEmpty { return "nothing was measured on this phone" }
        return "\(own.count { $0.isMet }) of \(own.count) predictions for this phone are met"
    }

    /// One sentence for each phone, for at most three phones.
    public func sentences(of phones: [Phone]) -> [String] {
        var told: [Phone] = []
        for phone in phones where !told.contains(phone) { told.append(phone) }
        let sentences = told.prefix(3).map { "\($0.device) with \($0.system): \(clause(of: $0))" }
        return sentences + (told.count > 3 ? ["\(told.count - 3) more phones: docs/evidence/validation.md"] : [])
    }
}
