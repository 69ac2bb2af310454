// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Foundation
import Importers
import Quantities
import Testing

/// Writes a text to a file of its own, hands its path over and removes it.
func withFile<R>(_ text: String, _ body: (String) throws -> R) throws -> R {
    let file = FileManager.default.temporaryDirectory.appending(path: "flotsam-test-" + UUID().uuidString)
    try text.write(to: file, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
}

@Suite struct PowerProfileTests {
    static let small = """
        <?xml version="1.0" encoding="utf-8"?>
        <!-- written for this test -->
        <device name="Android">
            <item name="none">0</item>
            <item name="battery.capacity">4000</item>
            <item name="cpu.suspend">10</item>
            <item name="cpu.idle">20</item>
            <item name="cpu.active">5.5</item>
            <array name="cpu.clusters.cores"><value>4</value><value>2</value></array>
            <item name="cpu.cluster_power.cluster0">2</item>
            <item name="cpu.cluster_power.cluster1">4</item>
            <array name="cpu.core_speeds.cluster0">
                <value>500000</value><value>1500000</value><value>2000000</value></array>
            <array name="cpu.core_power.cluster0"><value>10</value><value>30</value><value>60</value></array>
            <array name="cpu.core_speeds.cluster1">
                <value>3000000</value><value>2700000</value><value>2000000</value></array>
            <array name="cpu.core_power.cluster1"><value>500</value><value>300</value><value>100</value></array>
            <item name="screen.on"> 100 <!-- at minimum --></item>
            <item name="screen.full">400</item>
            <item name="ambient.on">30</item>
            <item name="wifi.controller.idle">40</item>
            <item name="wifi.controller.rx">100</item>
            <item name="wifi.controller.tx">300</item>
            <item name="wifi.controller.voltage">3700</item>
            <item name="modem.controller.sleep">0.1</item>
            <item name="modem.controller.rx">150</item>
            <array name="modem.controller.tx"><value>200</value><value>250</value><value>300</value></array>
            <item name="modem.controller.voltage">3700</item>
            <item name="bluetooth.controller.tx">7</item>
        </device>
        """

    static func imported(_ text: String, voltage: Double = 4) throws -> ImportedDevice {
        try withFile(text) { path in
            var options = PowerProfileOptions(name: "test-phone")
            options.voltage = .volts(voltage)
            return try importPowerProfile(path: path, options)
        }
    }

    /// The value of a key in a text of YAML, without its remark; sections are told apart by order only.
    static func value(_ key: String, in yaml: String) -> String? {
        for line in yaml.split(separator: "\n") {
            let words = line.split(separator: "#")[0].split(separator: ":", maxSplits: 1)
            guard words.count == 2, words[0].drop(while: { $0 == " " }) == key else { continue }
            return words[1].split(separator: " ").joined(separator: " ")
        }
        return nil
    }

    @Test func `currents become powers at the voltage the profile or the user names`() throws {
        let yaml = try Self.imported(Self.small).yaml
        #expect(Self.value("suspend_power", in: yaml) == "40 mW")
        #expect(Self.value("awake_power", in: yaml) == "102 mW")
        #expect(Self.value("base_power", in: yaml) == "400 mW")
        #expect(Self.value("brightness_power", in: yaml) == "1600 mW")
        #expect(Self.value("capacity", in: yaml) == "4000 mAh")
        #expect(yaml.contains("    receive_power: 370 mW"))
        #expect(yaml.contains("    tail: [{power: 148 mW, duration: 220 ms}]"))
        #expect(yaml.contains("    receive_power: 555 mW"))
        #expect(yaml.contains("    send_power: 925 mW"))
    }

    @Test func `the slow cluster works in the background and the fast one for the user`() throws {
        let yaml = try Self.imported(Self.small).yaml
        let small = try #require(yaml.split(separator: "  performance:")[0].split(separator: "  efficiency:").last)
        #expect(small.contains("cores: 4\n    cluster_power: 8 mW"))
        #expect(small.contains("- {frequency: 1500 MHz, power: 120 mW, rate: 5550}"))
        // Cluster 1 is listed downwards.
        let big = try #require(yaml.split(separator: "  performance:").last)
        #expect(
            big.contains("cores: 2\n    cluster_power: 16 mW\n    points:\n      - {frequency: 2000 MHz, power: 400 mW")
        )
        #expect(big.contains("- {frequency: 3000 MHz, power: 2000 mW, rate: 23250}"))
    }

    @Test func `what the model has no use for and what it lacks is said`() throws {
        let device = try Self.imported(Self.small)
        #expect(device.unused == ["bluetooth.controller.tx (line 29)"])
        #expect(
            device.missing == [
                "camera.power", "audio.playback_power", "video.power", "location.power", "bluetooth.power",
                "graphics.power", "radios.wifi.idle_power", "radios.cellular.idle_power",
                "radios.cellular.search_power", "radios.cellular.tail", "memory.ram",
            ])
        let kept =
            "that Flotsam does not use (in mA unless the name has another unit):\n#   bluetooth.controller.tx: 7\n"
        #expect(device.yaml.contains(kept))
        #expect(device.yaml.contains("#   radios.cellular.idle_power (modem.controller.sleep)\n"))
    }

    @Test func `an always-on display draws what the profile says, and the file says what that supposes`() throws {
        let yaml = try Self.imported(Self.small).yaml
        #expect(Self.value("ambient_power", in: yaml) == "120 mW")
        let ambient = "- {key: display.ambient_power, reason: \"the model uses this power whenever the phone is locked"
        #expect(yaml.contains(ambient))
    }

    /// Sending at 0 mA is a figure nobody filled in; one level of several may be missing, or all.
    @Test(
        arguments: [
            ("<value>200</value><value>0</value><value>300</value>", "740 mW", nil),
            ("<value>0</value><value>0</value><value>300</value>", "1110 mW", nil),
            ("<value>0</value><value>0</value><value>0</value>", nil, "radios.cellular.send_power"),
        ] as [(String, String?, String?)])
    func `a sending current of zero says nothing`(levels: String, power: String?, missing: String?) throws {
        let text = Self.small.replacing("<value>200</value><value>250</value><value>300</value>", with: levels)
        let device = try Self.imported(text)
        let cellular = String(try #require(device.yaml.split(separator: "  cellular:").last))
        #expect(Self.value("send_power", in: cellular) == power)
        #expect(device.missing.contains("radios.cellular.send_power") == (missing != nil))
        #expect(cellular.contains("send_power_per_megabit: 0 W") == (power != nil))
    }

    @Test func `Wi-Fi that sends for nothing keeps what it says of receiving and standing by`() throws {
        let text = Self.small.replacing(
            "<item name=\"wifi.controller.tx\">300</item>",
            with: "<item name=\"wifi.controller.tx\">0</item><item name=\"wifi.on\">1.5</item>")
        let device = try Self.imported(text)
        let radios = try #require(device.yaml.split(separator: "  wifi:").last)
        let wifi = String(radios.split(separator: "  cellular:")[0])
        #expect(Self.value("idle_power", in: wifi) == "5.55 mW")
        #expect(Self.value("receive_power", in: wifi) == "370 mW")
        #expect(Self.value("send_power", in: wifi) == nil)
        #expect(device.missing.contains("radios.wifi.send_power") && !device.missing.contains("radios.wifi.idle_power"))
    }

    @Test func `a modem's idle current is no tail, and the file says why`() throws {
        let line = "<item name=\"modem.controller.idle\">156</item>\n    <item name=\"modem.controller.rx\">"
        let text = Self.small.replacing("<item name=\"modem.controller.rx\">", with: line)
        let device = try Self.imported(text)
        let reason = "the base's value, because modem.controller.idle (156 mA)"
        #expect(device.yaml.contains("- {key: radios.cellular.tail, reason: \"\(reason)"))
        #expect(!device.missing.contains("radios.cellular.tail"))
    }

    @Test(arguments: ["65", "1e9", "2.5"])
    func `a cluster of impossible many cores is refused with its line`(count: String) throws {
        let text = Self.small.replacing(
            "<value>4</value><value>2</value>", with: "<value>4</value><value>\(count)</value>")
        let problems = #expect(throws: Diagnostics.self) { try Self.imported(text) }
        let found = "found \(Double(count) ?? 0)"
        #expect(problems?.list.map(\.message) == ["cpu.clusters.cores: expected whole numbers from 0 to 64, \(found)"])
        #expect(problems?.list.first?.location?.line == 9)
    }

    @Test func `an old profile of one cluster gives both kinds of core`() throws {
        let text = """
            <device name="Android">
                <array name="cpu.speeds"><value>1000000</value><value>2000000</value></array>
                <item name="cpu.idle">3.2</item>
                <item name="cpu.awake">17.4</item>
                <array name="cpu.active"><value>50</value><value>100</value></array>
                <item name="radio.active">185</item>
                <array name="radio.on"><value>4.8</value><value>1.5</value></array>
                <item name="wifi.active">70</item>
            </device>
            """
        let device = try Self.imported(text)
        // Power collapse, and what a wake lock adds to it.
        #expect(Self.value("suspend_power", in: device.yaml) == "12.8 mW")
        #expect(Self.value("awake_power", in: device.yaml) == "69.6 mW")
        #expect(device.yaml.contains("- {frequency: 2000 MHz, power: 400 mW, rate: 7400}"))
        #expect(device.yaml.contains("    idle_power: 6 mW"))
        #expect(device.yaml.contains("    send_power: 740 mW"))
        #expect(device.yaml.contains("    send_power: 280 mW"))
        #expect(
            device.missing == [
                "display.base_power", "display.brightness_power", "display.ambient_power", "camera.power",
                "audio.playback_power", "video.power", "location.power", "bluetooth.power", "graphics.power",
                "radios.wifi.idle_power", "radios.wifi.tail", "radios.cellular.search_power", "radios.cellular.tail",
                "battery.capacity", "memory.ram",
            ])
    }

    @Test func `broken XML is reported with file, line and a hint`() throws {
        try withFile("<device>\n  <item name=\"cpu.idle\">3</item>\n  <item name=\"x\">4</array>\n</device>\n") {
            path in
            let problems = #expect(throws: Diagnostics.self) {
                try importPowerProfile(path: path, PowerProfileOptions(name: "broken"))
            }
            let first = try #require(problems?.list.first)
            #expect(first.location?.file == path)
            #expect(first.location?.line == 3)
            #expect(first.message == "not well-formed XML: mismatched tag")
            #expect(first.line == "  <item name=\"x\">4</array>")
            #expect(first.hint?.hasPrefix("the file is res/xml/power_profile.xml") == true)
        }
    }

    @Test(arguments: [
        (String(repeating: "<a>", count: 200_000), "elements are nested too deeply"),
        ("<device><item name=\"a\" name=\"b\">1</item></device>", "not well-formed XML: duplicate attribute"),
        ("", "not well-formed XML: no element found"),
        ("<device>\0</device>", "not well-formed XML: not well-formed (invalid token)"),
        ("<device>&nbsp;</device>", "not well-formed XML: undefined entity"),
        ("<?xml version=\"1.0\" encoding=\"x\"?><device/>", "not well-formed XML: unknown encoding"),
    ])
    func `XML that is none is refused with its line`(_ text: String, _ message: String) throws {
        let problems = #expect(throws: Diagnostics.self) { try Self.imported(text) }
        #expect(problems?.list.map(\.message) == [message])
        #expect(problems?.list.first?.location?.line == 1)
    }

    @Test func `text in pieces, comments and marked sections is one value`() throws {
        let item = "<item name=\"screen.on\"> 1<!-- no -->0<![CDATA[0]]>&#46;<b>9</b>5 </item>"
        let plain = "<item name=\"screen.on\"> 100 <!-- at minimum --></item>"
        #expect(Self.small.contains(plain))
        let yaml = try Self.imported(Self.small.replacing(plain, with: item)).yaml
        #expect(Self.value("base_power", in: yaml) == "402 mW")
    }

    @Test(arguments: [
        ("[<!ENTITY z \"00\">]", "the file declares the entity \"z\", but entities are not expanded"),
        ("SYSTEM \"x.dtd\"", "the file has a document type, but entities of other files are not expanded"),
        (
            "[<!ENTITY % p SYSTEM \"file:///etc/passwd\">]",
            "the file declares the entity \"p\", but entities are not expanded"
        ),
    ])
    func `a profile with entities is refused, and the entity named`(_ type: String, _ message: String) throws {
        let text = """
            <?xml version="1.0"?>
            <!DOCTYPE device \(type)>
            <device>
              <item name="battery.capacity">40\(type.contains(" z ") ? "&z;" : "00")</item>
            </device>
            """
        let problems = #expect(throws: Diagnostics.self) { try Self.imported(text) }
        #expect(problems?.list.map(\.message) == [message])
        #expect(problems?.list.first?.location?.line == 2)
    }

    @Test func `ninety thousand bad items are fifty mistakes and a number, each with its line`() throws {
        let items = (0..<90_000).map { "<item name=\"a\($0)\">x</item>\n" }.joined()
        let problems = #expect(throws: Diagnostics.self) { try Self.imported("<device>\n" + items + "</device>\n") }
        #expect(problems?.count == 90_000)
        #expect(problems?.list.last?.line == "<item name=\"a49\">x</item>")
        #expect(problems?.shown.last?.message == "89950 more errors are not shown")
    }

    @Test func `a tag of attributes without end is refused before they are compared`() throws {
        let attributes = (0..<100_000).map { "a\($0)=\"\"" }.joined(separator: " ")
        let problems = #expect(throws: Diagnostics.self) {
            try Self.imported("<device>\n<item \(attributes)>1</item></device>")
        }
        #expect(problems?.list.map(\.message) == ["the tag has more than 65536 bytes"])
        #expect(problems?.list.first?.location?.line == 2)
    }

    @Test func `every wrong number is reported, not the first alone`() throws {
        let text = """
            <device>
              <item name="cpu.idle">fast</item>
              <array name="cpu.speeds"><value>1</value><value>-2</value></array>
              <item>3</item>
              <thing name="screen.on">3</thing>
            </device>
            """
        let problems = #expect(throws: Diagnostics.self) { try Self.imported(text) }
        #expect(
            problems?.list.map(\.message) == [
                "cpu.idle: expected a number from 0 to 1e9, found \"fast\"",
                "cpu.speeds: expected a number from 0 to 1e9, found \"-2\"",
                "<item> without a name",
            ])
        #expect(problems?.list.map { $0.location?.line } == [2, 3, 4])
    }

    @Test(arguments: ["<html/>", "", "<device/>", "<device>"])
    func `a file that is no profile is refused`(text: String) throws {
        #expect(throws: Diagnostics.self) { try Self.imported(text) }
    }

    @Test func `a file that is not there and a name that is none are refused`() throws {
        #expect(throws: Diagnostics.self) {
            try importPowerProfile(path: "/nowhere/power_profile.xml", PowerProfileOptions(name: "a"))
        }
        try withFile(Self.small) { path in
            _ = #expect(throws: Diagnostics.self) {
                try importPowerProfile(path: path, PowerProfileOptions(name: "Pixel 7"))
            }
        }
    }

    /// What vendors wrote for the voltage of Wi-Fi, the power of 100 mA and what is said.
    @Test(
        arguments: [
            ("3700", "370 mW", 0), ("2500", "250 mW", 0), ("5500", "550 mW", 0), ("3.3", "330 mW", 1),
            ("0.75", "400 mW", 1), ("1", "400 mW", 1), ("575", "400 mW", 1), ("600", "400 mW", 1),
            ("1800", "400 mW", 1), ("38000", "400 mW", 1), ("0", "400 mW", 0), ("0.1", "400 mW", 0),
        ])
    func `a voltage that no rail of a phone has is never taken in silence`(text: String, power: String, warnings: Int)
        throws
    {
        let old = "<item name=\"wifi.controller.voltage\">3700"
        let device = try Self.imported(
            Self.small.replacing(old, with: "<item name=\"wifi.controller.voltage\">" + text))
        #expect(device.yaml.contains("    receive_power: \(power)"))
        #expect(device.warnings.list.count == warnings)
    }

    @Test func `a name with a line end stays in its remark`() throws {
        let text = Self.small.replacing("bluetooth.controller.tx", with: "odd&#10;name: evil")
        let device = try Self.imported(text)
        #expect(device.yaml.contains("#   odd\u{fffd}name: evil: 7\n"))
        #expect(!device.yaml.contains("\nname: evil"))
    }

    @Test func `memory and origin are written when given`() throws {
        let device = try withFile(Self.small) { path in
            var options = PowerProfileOptions(name: "test-phone")
            options.ram = .gibibytes(8)
            options.origin = "a test"
            return try importPowerProfile(path: path, options)
        }
        #expect(Self.value("ram", in: device.yaml) == "8 GiB")
        #expect(device.yaml.contains("# Origin: a test\n"))
    }
}
