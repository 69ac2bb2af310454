// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

@Suite struct CameraMemoryTests {
    /// The least available memory of an hour with one visit of a minute, and of an hour after it.
    private static func available(_ activity: ActivityClass, wired: ByteCount) throws -> [Double] {
        var day = ScriptedDay.plain(["50000,unlock,,", "50000,open,app-0,60", "50100,lock,,"]) {
            $0.activity = activity
        }
        // Room for all, so that nothing else moves.
        day.device = TestWorld.device(ram: .gibibytes(12))
        day.device.memory.cameraWired = wired
        let rows = try day.run(tables: [.deviceHours]).rows.hours
        return [13, 15].map { rows[$0].availableMinimumMiB }
    }

    @Test func `the camera wires its memory while an app in front uses it`() throws {
        let plain = try Self.available(.camera, wired: .zero)
        let wired = try Self.available(.camera, wired: .mebibytes(512))
        #expect(abs(plain[0] - wired[0] - 512) < 0.1)
        #expect(plain[1] == wired[1])
        #expect(try Self.available(.browse, wired: .mebibytes(512)) == Self.available(.browse, wired: .zero))
    }
}
