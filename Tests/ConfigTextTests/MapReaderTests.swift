// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities
import Testing

enum Colour: String, CaseIterable { case red, green }

/// Reads a text with a body and returns the report.
func read(_ text: String, _ body: (MapReader) -> Void) throws -> ConfigReport {
    let report = ConfigReport()
    let node = try YAML.parse(SourceText(name: "a.yaml", text: text)).get()
    let map = MapReader(Cursor(node, report: report))
    body(map)
    map.finish()
    return report
}

@Suite struct MapReaderTests {
    @Test func `all problems of a file come at once, in order of location`() throws {
        let text = """
            seeds: [1, 2, three]
            screen:
              on: 350mw
              brigthness: 50 %
            colour: gren
            ram: -4 GiB
            flag: maybe
            """
        let report = try read(text) { map in
            _ = map.required("seeds", .list(of: .integer()))
            if let screen = map.map("screen") {
                _ = screen.required("on", ValueReader<Power>.amount(.power))
                _ = screen.value("brightness", .share, default: 0.5)
                screen.finish()
            }
            _ = map.required("colour", ValueReader<Colour>.choice("colour"))
            _ = map.required("ram", .bytes())
            _ = map.required("flag", .flag)
            _ = map.required("duration", .duration())
        }
        #expect(
            report.problems.description == """
                a.yaml:1:1: error: the key "duration" is missing
                  1 | seeds: [1, 2, three]
                    | ^
                  hint: for instance "duration: 15 min"
                a.yaml:1:15: error: expected an integer, found "three" (at seeds[2])
                  1 | seeds: [1, 2, three]
                    |               ^~~~~
                a.yaml:3:7: error: expected a power such as "350 mW", found "350mw" with the unknown unit \
                "mw" (at screen.on)
                  3 |   on: 350mw
                    |       ^~~~~
                  hint: did you mean "mW"?
                a.yaml:4:3: error: unknown key "brigthness" (at screen)
                  4 |   brigthness: 50 %
                    |   ^~~~~~~~~~
                  hint: did you mean "brightness"?
                a.yaml:5:9: error: unknown colour "gren" (at colour)
                  5 | colour: gren
                    |         ^~~~
                  hint: did you mean "green"?
                a.yaml:6:6: error: expected a size of at least 0 GiB, found "-4 GiB" (at ram)
                  6 | ram: -4 GiB
                    |      ^~~~~~
                a.yaml:7:7: error: expected true or false, found "maybe" (at flag)
                  7 | flag: maybe
                    |       ^~~~~

                """)
    }

    @Test func `a number without its unit says which units there are`() throws {
        let report = try read("ram: 4") { _ = $0.required("ram", .bytes()) }
        #expect(
            report.problems.description == """
                a.yaml:1:6: error: expected a size such as "4 GiB", found "4" without a unit (at ram)
                  1 | ram: 4
                    |      ^
                  hint: write the unit, for instance "4 GiB"; units: B, kB, MB, GB, KiB, MiB, GiB

                """)
    }

    @Test func `sources are collected and assumptions known`() throws {
        let text = """
            ram: {value: 4 GiB, source: a datasheet}
            warmth: 3 W
            source: {warmth: "assumption: like its sibling", coldness: x}
            """
        let report = try read(text) { map in
            #expect(map.required("ram", .bytes()) == .gibibytes(4))
            #expect(map.required("warmth", ValueReader<Power>.amount(.power)) == .watts(3))
        }
        #expect(
            report.sources == [
                SourceNote(file: "a.yaml", path: "ram", text: "a datasheet"),
                SourceNote(file: "a.yaml", path: "warmth", text: "assumption: like its sibling"),
            ])
        #expect(report.sources.map(\.isAssumption) == [false, true])
        #expect(report.problems.list.map(\.message) == ["\"source\" names the key \"coldness\", which does not exist"])
    }

    @Test func `exactly one of some keys`() throws {
        let report = try read("a: 1\nb: 2\n") { #expect($0.exactlyOne(of: ["a", "b"]) == nil) }
        #expect(
            report.problems.list.map(\.message)
                == ["exactly one of the keys \"a\", \"b\" is required, found several"])
    }

    @Test func `a map where a list was wanted is reported`() throws {
        let report = try read("a: {b: 1}") { _ = $0.required("a", .list(of: .text)) }
        #expect(report.problems.list.map(\.message) == ["expected a list, found a map (at a)"])
    }
}

@Suite struct NodeSettingTests {
    func tree(_ text: String) throws -> Node { try YAML.parse(SourceText(name: "a.yaml", text: text)).get() }

    @Test func `a path replaces, adds and opens a word into a map`() throws {
        var node = try tree("device: iphone-13\nseed: 1\n")
        node = try node.setting(key: "seed", value: "7").get()
        node = try node.setting(key: "device.memory.ram", value: "3 GiB").get()
        node = try node.setting(key: "policies.eviction", value: "[lru, random]").get()
        #expect(node["seed"]?.scalar == "7")
        #expect(node["device"]?["base"]?.scalar == "iphone-13")
        #expect(node["device"]?["memory"]?["ram"]?.scalar == "3 GiB")
        #expect(node["policies"]?["eviction"]?.items?.count == 2)
    }

    @Test func `a wrong value points into the option`() throws {
        let node = try tree("ram: 1 GiB").setting(key: "ram", value: "4 GW").get()
        let report = ConfigReport()
        _ = MapReader(Cursor(node, report: report)).required("ram", .bytes())
        #expect(
            report.problems.description == """
                --set:1:5: error: expected a size such as "4 GiB", found "4 GW" with the unknown unit "GW" (at ram)
                  1 | ram=4 GW
                    |     ^~~~
                  hint: units: B, kB, MB, GB, KiB, MiB, GiB

                """)
    }

    @Test func `an item that is not there is a problem`() throws {
        let result = try tree("a: [x, y]").setting(key: "a.5", value: "z")
        guard case .failure(let error) = result else {
            Issue.record("set an item that is not there")
            return
        }
        #expect(error.list.first?.hint == "items are numbered 0 to 1")
    }

    @Test func `a map laid over another joins maps`() throws {
        let joined = try tree("memory: {ram: 3 GiB}").laid(over: tree("memory: {ram: 4 GiB, wired: 1 GiB}\nname: x"))
        #expect(joined["memory"]?["ram"]?.scalar == "3 GiB")
        #expect(joined["memory"]?["wired"]?.scalar == "1 GiB")
        #expect(joined["name"]?.scalar == "x")
    }
}
