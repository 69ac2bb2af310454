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

    @Test func `a retired key warns where it is written, and nowhere else`() throws {
        let (_, problems) = try read("{share: 20 %, pitch: 3}", retired: ["pitch"])
        #expect(!problems.hasErrors && problems.list.count == 1)
        #expect("\(problems)".contains("the key \"pitch\" changes nothing"))
        #expect("\(problems)".contains("leave it out: nothing hears it"))
        #expect(try read("{share: 20 %}", retired: ["pitch"]).problems.list.isEmpty)
    }
}
