// SPDX-License-Identifier: GPL-3.0-or-later

/// Position and reason of a trap in the simulator, read from a worker's standard error.
struct TrapText {
    /// Value of an environment variable that limits backtraces of Swift's runtime to the thread that trapped.
    ///
    /// Checks of the language, such as those of indices and sums, have no message in a release build. For these, the
    /// topmost function of the program shows the position. The program's own checks use `fatalError`, which has a
    /// message in every build.
    static let environment =
        "SWIFT_BACKTRACE=enable=yes,interactive=no,color=no,limit=24,top=0,threads=crashed,registers=none,images=none,"
        + "sanitize=no,output-to=stderr"

    /// Message with its file and line, followed by the topmost function of the program; nil when neither is known.
    let text: String?

    init(_ complaints: String) {
        let lines = complaints.split(separator: "\n")
        let message = lines.last { $0.contains("Fatal error") || $0.contains("Precondition failed") }
        let parts = [message.map(String.init), lines.lazy.compactMap(Self.frame).first.map { "in " + $0 }]
        let text = parts.compactMap { $0 }.joined(separator: ", ")
        self.text = text.isEmpty ? nil : text
    }

    /// Function and position of a stack frame in the program's own sources; nil for any other line.
    ///
    /// An example of a frame is `3 [ra] 0x… f(_:) + 12 in flotsam at /home/a/Sources/B/C.swift:3:4`.
    private static func frame(_ line: Substring) -> String? {
        guard let address = line.firstRange(of: "0x"), let position = line.ranges(of: " at ").last,
            let sources = line.ranges(of: "Sources/").last, sources.lowerBound > position.lowerBound,
            line.drop(while: { $0 == " " }).first?.isNumber == true
        else { return nil }
        let call = line[address.lowerBound..<position.lowerBound].drop { $0 != " " }.drop { $0 == " " }
        let end = call.firstRange(of: " + ")?.lowerBound ?? call.firstRange(of: " in ")?.lowerBound ?? call.endIndex
        let source = line[sources.lowerBound...].split(separator: ":").prefix(2).joined(separator: ":")
        return "\(call[..<end]) (\(source))"
    }
}
