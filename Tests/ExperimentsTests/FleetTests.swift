// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Importers
import Quantities
import Scenario
import TestSupport
import Testing
import Workload

@testable import Experiments

/// Phones that count one app become figures, people and an experiment.
@Suite struct FleetTests {
    /// Five phones, k = 0 to 4, of one day: 100 (k + 1) MiB, 10 times 2 to the k opens of 30 s, half of the bytes over
    /// Wi-Fi, k bars.
    private static func phones() throws -> [RecordedPhone] {
        try (0..<5).map { number in
            let opens = 10 << number
            let scratch = try TemporaryFolder()
            let product = number == 0 ? "iPhone15,2" : "iPhone14,5"
            try scratch.write(
                "day.json",
                """
                {"metaData": {"bundleIdentifier": "com.example.feed", "deviceType": "\(product)",
                "osVersion": "iPhone OS 18.5 (22F76)"},
                "memoryMetrics": {"peakMemoryUsage": "\((number + 1) * 102_400) kB"},
                "applicationTimeMetrics": {"cumulativeForegroundTime": "\(opens * 30) sec"},
                "networkTransferMetrics": {"cumulativeWifiDownload": "1000 kB",
                "cumulativeCellularDownload": "1000 kB"},
                "cellularConditionMetrics": {"cellConditionTime": {"histogramValue": {
                "0": {"bucketCount": 9, "bucketStart": "\(number) bars", "bucketEnd": "\(number) bars"}}}},
                "applicationLaunchMetrics": {"histogrammedTimeToFirstDrawKey": {"histogramValue": {
                "0": {"bucketCount": \(opens), "bucketStart": "500 ms", "bucketEnd": "500 ms"}}}}}
                """)
            return try readPhone(paths: [scratch.path + "/day.json"], RecordingOptions())
        }
    }

    @Test func `figures spread over the phones`() throws {
        let fleet = try #require(Fleet(try Self.phones(), library: .located()))
        #expect(fleet.app == "com.example.feed" && fleet.name == "com-example-feed")
        #expect(fleet.phones == 5 && fleet.days == 5)
        #expect(fleet.device == "iphone-13" && fleet.os == "ios-18.5" && fleet.alike == 4)
        #expect(fleet.memory == .gibibytes(4))
        #expect(fleet.footprint?.values == [100, 200, 300, 400, 500])
        #expect(fleet.footprint?.quantile(0.1) == 140 && fleet.footprint?.median == 300)
        #expect(fleet.opens?.values == [10, 20, 40, 80, 160] && fleet.visit?.values == [30, 30, 30, 30, 30])
        #expect(fleet.wifiShare?.median == 0.5 && fleet.launch?.median == 500)
        #expect(fleet.bars?.values == [0, 1, 2, 3, 4])
        // 2000 kB in 1200 s.
        #expect(abs((fleet.rate?.median ?? 0) - 8 * 2_048_000 / 1200) < 1e-6)
    }

    @Test func `people differ as the phones do, and are the persona in all else`() throws {
        let fleet = try #require(Fleet(try Self.phones(), library: .located()))
        var persona = Persona(name: "p")
        persona.pickups.perDay = 95
        persona.visit.sigma = 1.8
        (persona.wifi.home, persona.wifi.work, persona.wifi.transit, persona.wifi.other) = (0.8, 0.4, 0, 0.2)
        let text = try #require(fleet.populationText(persona, named: "average"))
        // ln 2 times the deviation of 0 to 4, 1.5811; 30 s e^(-1.62); half of the bytes for 0.6 of the time.
        for line in [
            "persona: average", "{key: pickups.per_day, median: 95, spread: 1.1, range: [5, 500]}",
            "{key: visit.median, median: 5.94, spread: 0, unit: s, range: [1, 600]}",
            "{key: wifi.country_factor, median: 0.833, spread: 0, range: [0.1, 2]}",
            "{key: cellular.signal.work, median: 2, spread: 1.58, scale: linear, "
                + "words: [very-poor, poor, moderate, good, excellent]}",
        ] { #expect(text.contains(line), "\(line)\n\(text)") }
        #expect(fleet.told(persona).count == 4)
    }

    @Test func `two phones tell no spread, and their people are the persona`() throws {
        let fleet = try #require(Fleet(Array(try Self.phones().prefix(2)), library: .located()))
        #expect(fleet.populationText(Persona(name: "p"), named: "average") == nil)
        var persona = Persona(name: "p")
        (persona.pickups.perDay, persona.pickups.extraAppsMean) = (100, 1)
        let text = fleet.experimentText(persona, named: "average", app: "feed", ends: ["bg_memory_pressure"])
        #expect(text.contains("user: {persona: average}") && !text.contains("sweep:"))
        // 15 of 200 visits a day.
        #expect(text.contains("opened: {share: 7.5 %}"), "\(text)")
        #expect(text.contains("shown: [energy_wh_per_day, exits_bg_memory_pressure_per_day]"))
    }

    @Test func `a fleet without an app makes nothing`() throws {
        let scratch = try TemporaryFolder()
        try scratch.write("getprop.txt", "[ro.product.model]: [X]\n")
        let phone = try readPhone(paths: [scratch.path + "/getprop.txt"], RecordingOptions())
        #expect(Fleet([phone], library: .located()) == nil)
    }
}
