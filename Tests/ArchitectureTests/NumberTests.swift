// SPDX-License-Identifier: GPL-3.0-or-later
import TestSupport
import Testing

/// Timers and reasons of assertions, which each behaviour declares in its own file with a number.
struct Numbered {
    let name: String
    let number: Int
    let file: String

    /// Those of a type that files declare, as `static var widget: AppTimer { AppTimer(21) }`.
    static func all(of type: String, in files: [SourceFile]) -> [Numbered] {
        files.flatMap { file in
            file.lines.compactMap { line in
                let words = line.split(separator: " ")
                guard let start = words.firstIndex(of: "static"), words.count > start + 4,
                    words[start + 3] == type, let call = words.first(where: { $0.hasPrefix(type + "(") }),
                    let number = Int(call.dropFirst(type.count + 1).prefix { $0.isNumber })
                else { return nil }
                return Numbered(name: String(words[start + 2].dropLast()), number: number, file: file.path)
            }
        }
    }

    /// What is wrong with the numbers, in sentences; `reserved` belong to others.
    static func objections(to all: [Numbered], below limit: Int, reserved: [Int] = []) -> [String] {
        let tooLarge = all.filter { $0.number >= limit || reserved.contains($0.number) }
            .map { "\($0.name) has \($0.number), which is not free" }
        let owners = Dictionary(grouping: all, by: \.number).filter { $0.value.count > 1 }
        return tooLarge
            + owners.sorted { $0.key < $1.key }
            .map { number, all in "\(all.map(\.name).joined(separator: " and ")) share \(number)" }
    }

    /// Timers that the routing names never or twice; `lines` are those of one switch.
    static func unrouted(_ all: [Numbered], by lines: some Sequence<Substring>) -> [String] {
        all.map(\.name).filter { name in lines.count { $0.contains("case .\(name):") } != 1 }
    }
}

@Suite struct NumberTests {
    private static func sources() throws -> [SourceFile] {
        try ["PhoneCore", "Behaviours", "Phone"].flatMap { try SourceTree.files(below: "Sources/\($0)") }
    }

    @Test(arguments: [("AppTimer", []), ("DeviceTimer", [2, 3, 28, 29, 30, 31])])
    func `no two timers share a number, and each is routed once`(type: String, radios: [Int]) throws {
        let sources = try Self.sources()
        let timers = Numbered.all(of: type, in: sources)
        #expect(timers.count >= 10)
        #expect(Numbered.objections(to: timers, below: 32, reserved: radios) == [])
        let routing = try #require(sources.first { $0.path.hasSuffix("+Routing.swift") })
        let lines = routing.lines.drop { !$0.contains("func handle(_ timer: \(type)") }.prefix { $0 != "    }" }
        #expect(Numbered.unrouted(timers, by: lines) == [])
    }

    @Test func `no two reasons of assertions share a number`() throws {
        let reasons = Numbered.all(of: "AssertionReason", in: try Self.sources())
        #expect(reasons.count >= 5)
        #expect(Numbered.objections(to: reasons, below: 256) == [])
    }

    @Test func `shared and missing numbers are noticed`() {
        let file = SourceFile(
            path: "A.swift",
            text: """
                    package static var ring: AppTimer { AppTimer(7) }
                    package static var snooze: AppTimer { AppTimer(40) }
                    static let alarm: AppTimer = AppTimer(7)
                    case .ring: alarms.ring(app, &core)
                    case .ring: alarms.ring(app, &core)
                    case .alarm: alarms.alarm(app, &core)
                """)
        let timers = Numbered.all(of: "AppTimer", in: [file])
        #expect(timers.map(\.number) == [7, 40, 7])
        #expect(
            Numbered.objections(to: timers, below: 32) == [
                "snooze has 40, which is not free", "ring and alarm share 7",
            ])
        #expect(Numbered.unrouted(timers, by: file.lines) == ["ring", "snooze"])
        #expect(Numbered.objections(to: timers, below: 64, reserved: [40]).count == 2)
    }
}
