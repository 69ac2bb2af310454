// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Power
import Quantities
import Testing

@testable import PhoneCore
@testable import Scenario

/// What a phone lies in, by default and where a file says otherwise.
@Suite struct SurroundingKeyTests {
    @Test func `shipped phones tell surroundings apart, tablets do not`() throws {
        for device in ["iphone-13", "iphone-15-pro-max", "pixel-7", "nexus-5"] {
            let found = try load(sample, overrides: ["device=\(device)"]).points[0].device.surroundings
            #expect(found?.bed.air == .celsius(22.2) && found?.pocketShare == 0.8, "\(device)")
        }
        #expect(try load(sample, overrides: ["device=ipad-10"]).points[0].device.surroundings == nil)
    }

    @Test func `a device may be without them, or change one figure of them`() throws {
        #expect(try load(sample, overrides: ["device.surroundings=off"]).points[0].device.surroundings == nil)
        let cold = try load(sample, overrides: ["device.surroundings.table.air=10 degC"]).points[0].device.surroundings
        #expect(cold?.table.air == .celsius(10) && cold?.table.resistance == 5.5 && cold?.pocketShare == 0.8)
        let problem = #expect(throws: (any Error).self) { try load(sample, overrides: ["device.surroundings=on"]) }
        #expect("\(try #require(problem))".contains("word for surroundings"))
    }

    private func ambient(_ overrides: [String]) throws -> [String] {
        try load(sample, overrides: overrides).warnings.list.filter { $0.message.contains("ambient") }.map {
            "\($0.message) \($0.hint ?? "")"
        }
    }

    @Test func `an air that no hour has is told, with how to mend it`() throws {
        let told = try ambient(["user.persona.ambient=0 degC"])
        #expect(told.count == 1)
        #expect(told.first?.contains("not from the user's \"ambient\"") == true)
        #expect(told.first?.contains("device.surroundings: off") == true)
        // Once, however many points a sweep has.
        #expect(
            try ambient(["sweep={axes: {user.persona.ambient: [0 degC, 10 degC], device.memory.ram: [3 GiB, 4 GiB]}}"])
                .count == 1)
    }

    @Test func `nobody is told of a shipped persona's air, nor of one that the phone has`() throws {
        #expect(try ambient([]).isEmpty && ambient(["user.persona=gamer"]).isEmpty)
        #expect(try ambient(["user.persona.ambient=0 degC", "device.surroundings=off"]).isEmpty)
        // A text that holds everything it uses is warned of nothing.
        let whole = try load(sample).oneFileText
        #expect(try load(whole).warnings.list.allSatisfy { !$0.message.contains("ambient") })
    }
}
