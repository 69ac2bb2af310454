// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing

@testable import ConfigText

/// Keys that a type lists beside its properties, and keys that are retired.
@Suite struct FileKeyTests {
    struct Sound: Equatable {
        enum Source: String, CaseIterable { case phone, network }

        var isOn = false
        var share = 0.5
        var length = SimDuration.seconds(1)
        var size = ByteCount.zero
        var most: ByteCount?
        var count: Int16 = 3
        var load = 0.1
        var power = Power.watts(1)
        var source = Source.phone

        static let keys: [FileKey<Sound>] = [
            .flag(\.isOn, "on"), .share(\.share, "share"), .time(\.length, "length", 1...60), .bytes(\.size, "size"),
            .bytes(\.most, "most"), .integer(\.count, "count", 0...210, example: "0"),
            .map("work", [.number(\.load, "load", 0...16, example: "0.2"), .amount(\.power, "power", .power)]),
            .choice(\.source, "source_of", "source of sound"),
        ]
    }

    private func read(_ text: String, retired: [String] = []) throws -> (sound: Sound, problems: Diagnostics) {
        let report = ConfigReport()
        let root = try YAML.parse(SourceText(name: "a.yaml", text: text)).get()
        let map = MapReader(Cursor(root, report: report))
        var sound = Sound()
        map.set(&sound, Sound.keys)
        for key in retired { map.retired(key, "nothing hears it") }
        map.finish()
        return (sound, report.problems)
    }

    @Test func `each key sets its property, others keep their defaults`() throws {
        let (sound, problems) = try read(
            """
            {on: yes, share: 20 %, length: 2 s, size: 1 KiB, most: 2 KiB, count: 7, work: {load: 2, power: 3 mW},
             source_of: network}
            """)
        #expect(problems.list.isEmpty, "\(problems)")
        #expect(sound.isOn && sound.share == 0.2 && sound.length == .seconds(2) && sound.size == .kibibytes(1))
        #expect(sound.most == .kibibytes(2) && sound.count == 7 && sound.load == 2 && sound.power == .milliwatts(3))
        #expect(sound.source == .network)
        #expect(try read("{}").sound == Sound())
    }

    @Test(arguments: [
        ("{length: 2 min}", "expected a time of at most 1 min"), ("{count: 211}", "expected at most 210, found 211"),
        ("{work: {lod: 1}}", "did you mean \"load\"?"), ("{source_of: fone}", "unknown source of sound \"fone\""),
        ("{share: 120 %}", "expected a share of at most 100 %"), ("{shar: 1 %}", "did you mean \"share\"?"),
    ])
    func `what is wrong is said as for any key`(text: String, expected: String) throws {
        let (sound, problems) = try read(text)
        #expect(problems.hasErrors && "\(problems)".contains(expected), "\(problems)")
        #expect(sound == Sound())
    }

    /// Values that are maps of numbers, lists of them, and sizes that may be shares of another.
    struct Tones: Equatable {
        struct Tone: Equatable {
            var from = 0.0
            var to = 0.0
        }

        var whole = ByteCount.kibibytes(8)
        var part = ByteCount.zero
        var main = Tone()
        var all: [Tone] = []
        var gain: Double?
        var limit: Power?
        var name = 0.0

        private static let shape = FileRecord(
            "a tone", example: "{from: 1 s, to: 2 s}",
            fields: [.quantity("from", .time, 0...60), .number("to", 0...60, example: "2")]
        ) { numbers in
            guard let from = numbers[0], let to = numbers[1], from > to else { return nil }
            return FileFieldProblem("to", expected: "an end after the beginning", hint: "count on")
        }

        static let keys: [FileKey<Tones>] = [
            .bytes(\.part, "part", orShareOf: \.whole),
            .record(\.main, "main", shape) { Tone(from: $0[0] ?? -1, to: $0[1] ?? -1) },
            .records(\.all, "all", shape, FileListRule("at most 2 tones") { $0.count <= 2 }) {
                Tone(from: $0[0] ?? -1, to: $0[1] ?? -1)
            },
            .quantity(\.gain, "gain", .fraction, 0.1...1), .amount(\.limit, "limit", .power, 0...5),
            .number(\.name, "name", 0...9, example: "4").required(),
        ]
    }

    private func readTones(_ text: String) throws -> (tones: Tones, problems: String) {
        let report = ConfigReport()
        let root = try YAML.parse(SourceText(name: "a.yaml", text: text)).get()
        let map = MapReader(Cursor(root, report: report))
        var tones = Tones()
        map.set(&tones, Tones.keys)
        map.finish()
        return (tones, report.problems.list.isEmpty ? "" : "\(report.problems)")
    }

    @Test func `maps of numbers, lists of them and shares of sizes are read as they are declared`() throws {
        let (tones, problems) = try readTones(
            "{name: 1, part: 25 %, main: {from: 1 min, to: 61 }, all: [{from: 0 s, to: 1}, {from: 2 s, to: 3}]}")
        #expect(problems.contains("expected at least 0.0 and at most 60.0, found 61"), "\(problems)")
        #expect(tones.part == .kibibytes(2) && tones.main == Tones.Tone())
        #expect(tones.all == [Tones.Tone(from: 0, to: 1), Tones.Tone(from: 2, to: 3)])
        let other = try readTones("{name: 2, part: 3 KiB, main: {from: 1 s, to: 5}, gain: 50 %, limit: 2 W}")
        #expect(other.problems.isEmpty, "\(other.problems)")
        #expect(other.tones.part == .kibibytes(3) && other.tones.main == Tones.Tone(from: 1, to: 5))
        #expect(other.tones.gain == 0.5 && other.tones.limit == .watts(2) && other.tones.name == 2)
    }

    @Test(arguments: [
        ("{}", "the key \"name\" is missing"), ("{}", "for instance \"name: 4\""),
        ("{name: 1, main: 3}", "expected a tone such as {from: 1 s, to: 2 s}, found \"3\""),
        ("{name: 1, main: {from: 1 s}}", "the key \"to\" is missing"),
        ("{name: 1, main: {from: 1 s, too: 3}}", "did you mean \"to\"?"),
        ("{name: 1, main: {from: 3 s, to: 2}}", "expected an end after the beginning"),
        ("{name: 1, main: {from: 3 s, to: 2}}", "count on"),
        ("{name: 1, all: [{from: 0 s, to: 1}, {from: 0 s, to: 1}, {from: 0 s, to: 1}]}", "expected at most 2 tones"),
        ("{name: 1, limit: 6 W}", "expected a power of at most 5 W"),
    ])
    func `what is wrong in a map of numbers is said where it stands`(text: String, expected: String) throws {
        let (tones, problems) = try readTones(text)
        #expect(problems.contains(expected), "\(problems)")
        #expect(tones.main == Tones.Tone() && tones.all.isEmpty && tones.limit == nil)
    }

    @Test func `a retired key warns where it is written, and nowhere else`() throws {
        let (_, problems) = try read("{share: 20 %, pitch: 3}", retired: ["pitch"])
        #expect(!problems.hasErrors && problems.list.count == 1)
        #expect("\(problems)".contains("the key \"pitch\" has no effect"))
        #expect("\(problems)".contains("leave it out: nothing hears it"))
        #expect(try read("{share: 20 %}", retired: ["pitch"]).problems.list.isEmpty)
    }
}
