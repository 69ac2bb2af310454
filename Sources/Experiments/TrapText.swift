// SPDX-License-Identifier: GPL-3.0-or-later

/// Where and why the simulator trapped, as the standard error of a worker tells it.
struct TrapText {
    /// Value of an environment variable that makes Swift's runtime draw only the stack of the thread that trapped.
    ///
    /// What the language checks itself, indices and sums, has no message in a release build: then the topmost function
    /// of the program says where it was. Checks of the program's own are `fatalError`, whose message every build keeps.
    static let environment =
        "SWIFT_BACKTRACE=enable=yes,interactive=no,color=no,limit=24,top=0,threads=crashed,registers=none,images=none,"
        + "sanitize=no,output-to=stderr"

    /// The message with its file and line, then the topmost function of the program; nil when nothing is known.
    let text: String?

    init(_ complaints: String) {
        let lines = complaints.split(separator: "\n")
        let message = lines.last { $0.contains("Fatal error") || $0.contains("Precondition failed") }
        let parts = [message.map(String.init), lines.lazy.compactMap(Self.frame).first.map { "in " + $0 }]
        let text = parts.compactMap { $0 }.joined(separator: ", ")
        self.text = text.isEmpty ? nil : text
    }

    /// The function and the position of a frame that lies in the program's own sources, as in `3 [ra] 0x… f(_:) + 12 in
    /// flotsam at /home/a/Sources/B/C.swift:3:4`.
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
