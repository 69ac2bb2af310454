// SPDX-License-Identifier: GPL-3.0-or-later
import TestSupport
import Testing

/// That the readers see what they look for; otherwise the rules would hold for want of looking.
@Suite struct ReadingTests {
    @Test func `imports are found behind attributes, levels and kinds, and not in comments`() {
        let text = """
            // import Comment
            import Plain
            public import Numerics  // because
            @testable import Tested
            @preconcurrency private import struct Glibc.timespec
            let text = "import Nothing"
            #if canImport(Foundation)
                import Foundation
            #endif
            """
        let found = SourceFile(path: "x.swift", text: text).imports.map { "\($0.line) \($0.module)" }
        #expect(found == ["2 Plain", "3 Numerics", "4 Tested", "5 Glibc", "8 Foundation"])
    }

    @Test func `targets are found with their dependencies and without their settings`() {
        let text = """
            func module(_ name: String) -> Target { .target(name: name) }
            .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"])]),
            module("A", ["CGSL"]),  // module("B")
            .target(name: "C", dependencies: ["A"], swiftSettings: [.enableExperimentalFeature("F")]),
            .executableTarget(
                name: "d", dependencies: ["A", "C"], swiftSettings: settings),
            .testTarget(name: "ATests", dependencies: ["A"]),
            """
        let expected: [String: Set<String>] = ["CGSL": [], "A": ["CGSL"], "C": ["A"], "d": ["A", "C"]]
        #expect(PackageManifest(text: text).dependencies == expected)
    }

    @Test(arguments: [
        ("Vocabulary", "EvictionPolicies", nil), ("Glibc", "Power", nil), ("Foundation", "Recording", nil),
        ("FlotsamCommand", "flotsam", nil),
        ("Phone", "Power", "Phone stands on floor 6, Power on 3"),
        ("Power", "Processes", "Power stands on floor 3, Processes on 3"),
        ("CGSL", "Statistics", "only Numerics may import CGSL"),
        ("Numerics", "Power", "Package.swift does not declare Numerics for Power"),
        ("Foundation", "Phone", "Foundation starts on floor 7, Phone stands on 6"),
        ("ArgumentParser", "flotsam", "ArgumentParser is neither a module of the table nor allowed"),
    ])
    func `an import is refused with the reason`(imported: String, module: String, objection: String?) {
        let declared: Set = ["Vocabulary", "FlotsamCommand", "Phone", "Power", "CGSL"]
        #expect(ModuleGraph.objection(to: imported, in: module, declared: declared) == objection)
    }

    @Test func `an introduction is five comment lines at the top of a file`() {
        #expect(SourceFile(path: "", text: "// a\n// b\n// c\n// d\n// e\nimport X").introducesModule)
        #expect(!SourceFile(path: "", text: "// a\n// b\n// c\n// d\nimport X").introducesModule)
        let licence = "// SPDX-License-Identifier: GPL-3.0-or-later\n"
        #expect(SourceFile(path: "", text: licence + "// a\n// b\n// c\n// d\n// e\nimport X").introducesModule)
        #expect(!SourceFile(path: "", text: licence + "// a\n// b\n// c\n// d\nimport X").introducesModule)
        #expect(!SourceFile(path: "", text: "/// a\n/// b\n/// c\n/// d\n/// e\nstruct X {}").introducesModule)
    }
}
