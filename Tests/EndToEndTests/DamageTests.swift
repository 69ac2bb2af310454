// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The kills and the damage of `Tests/Damage`, a few of each kind.
@Suite(.serialized) struct DamageTests {
    @Test func `whatever is killed, flipped, cut, deleted or full, the tables are those of the undisturbed experiment`()
        throws
    {
        let laboratory = try Laboratory()
        let script = Laboratory.package.appendingPathComponent("Tests/Damage/damage").path
        let words = ["-B", script, Laboratory.program("flotsam"), "--small"]
        let ending = try laboratory.start(words, program: "/usr/bin/python3").ending()
        #expect(ending.code == 0, "\(ending.out)\n\(ending.errors)")
        let cases = ending.out.split(separator: "\n").last?.split(separator: " ") ?? []
        #expect(cases.count > 3 && (Int(cases[0]) ?? 0) >= 30 && cases[2] == "0", "\(ending.out)")
    }
}
