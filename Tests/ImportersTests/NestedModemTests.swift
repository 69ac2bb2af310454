// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Importers
import Testing

/// The section `<modem>` of Android 13 and later.
///
/// Form: `ModemPowerProfile.java` of the Android Open Source Project; the values are made up.
@Suite struct NestedModemTests {
    private func section(_ actives: String) -> String {
        "<device name=\"Android\">\n<modem>\n<sleep>5</sleep>\n<idle>90</idle>\n\(actives)\n</modem>\n</device>"
    }

    private func active(_ technology: String, receive: Int, _ levels: [Int]) -> String {
        let sent = levels.enumerated().map { "<transmit level=\"\($0.offset)\">\($0.element)</transmit>" }
        return "<active \(technology)>\n<receive>\(receive)</receive>\n\(sent.joined(separator: "\n"))\n</active>"
    }

    private func cellular(_ text: String) throws -> (yaml: String, device: ImportedDevice) {
        let device = try PowerProfileTests.imported(text)
        return (String(try #require(device.yaml.split(separator: "  cellular:").last)), device)
    }

    @Test func `LTE comes before what stands for any technology, its middle level sends`() throws {
        let both =
            active("rat=\"DEFAULT\"", receive: 100, [10, 20, 30, 40, 50])
            + active("rat=\"LTE\"", receive: 200, [110, 120, 130, 140, 150])
            + active("rat=\"NR\" nrFrequency=\"MMWAVE\"", receive: 700, [300, 400, 500, 600, 700])
        let (yaml, device) = try cellular(section(both))
        #expect(PowerProfileTests.value("idle_power", in: yaml) == "20 mW")
        #expect(PowerProfileTests.value("receive_power", in: yaml) == "800 mW")
        #expect(PowerProfileTests.value("send_power", in: yaml) == "520 mW")
        #expect(yaml.contains("modem.LTE.transmit, level 2 of 0-4"))
        #expect(yaml.contains("modem.idle (90 mA)"))
        #expect(
            device.unused == [
                "modem.DEFAULT.receive (line 6)", "modem.DEFAULT.transmit (line 5)",
                "modem.NR.MMWAVE.receive (line 20)", "modem.NR.MMWAVE.transmit (line 19)",
            ])
        #expect(yaml.contains("#   modem.NR.MMWAVE.transmit: 300 400 500 600 700\n"))
    }

    @Test func `without LTE the default counts, whatever the order of its levels`() throws {
        let turned =
            "<active rat=\"DEFAULT\"><transmit level=\"2\">60</transmit>"
            + "<transmit level=\"0\">40</transmit><receive>30</receive></active>"
        let (yaml, _) = try cellular(section(turned))
        #expect(PowerProfileTests.value("receive_power", in: yaml) == "120 mW")
        #expect(PowerProfileTests.value("send_power", in: yaml) == "240 mW")
    }

    @Test func `every mistake of the section is reported with its line`() throws {
        let wrong = """
            <nap>1</nap>
            <active rat="LTE">
            <receive>fast</receive>
            <transmit>5</transmit>
            <transmit level="5">5</transmit>
            <listen>5</listen>
            </active>
            """
        let problems = #expect(throws: Diagnostics.self) { try cellular(section(wrong)) }
        #expect(
            problems?.list.map(\.message) == [
                "modem LTE receive: expected a number from 0 to 1e9, found \"fast\"",
                "<transmit> needs a level from 0 to 4, found \"\"",
                "<transmit> needs a level from 0 to 4, found \"5\"",
            ])
        #expect(problems?.list.map { $0.location?.line } == [7, 8, 9])
    }
}
