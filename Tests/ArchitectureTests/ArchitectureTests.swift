// SPDX-License-Identifier: GPL-3.0-or-later
import TestSupport
import Testing

/// The module graph against the sources: the compiler lets imports through that no target declares.
@Suite struct ArchitectureTests {
    /// Below this a module is a name that waits for its code, or too small to need an introduction.
    static let smallModule = 40

    @Test func `every module stands on exactly one floor and has a target and a folder`() throws {
        let named = ModuleGraph.floors.flatMap { $0 }
        #expect(Set(named).count == named.count)
        let manifest = PackageManifest(text: try SourceTree.text("Package.swift"))
        #expect(manifest.dependencies.keys.sorted() == named.sorted())
        #expect(try SourceTree.folders(below: "Sources") == named.sorted())
    }

    @Test func `targets depend on lower floors only`() throws {
        let manifest = PackageManifest(text: try SourceTree.text("Package.swift"))
        for (module, dependencies) in manifest.dependencies.sorted(by: { $0.key < $1.key }) {
            for dependency in dependencies.sorted() {
                let objection = ModuleGraph.objection(to: dependency, in: module, declared: dependencies)
                #expect(objection == nil, "Package.swift: \(module) -> \(dependency)")
            }
        }
    }

    @Test(arguments: ModuleGraph.floors.flatMap { $0 })
    func `sources import declared lower floors only`(module: String) throws {
        let manifest = PackageManifest(text: try SourceTree.text("Package.swift"))
        let declared = try #require(manifest.dependencies[module])
        for file in try SourceTree.files(below: "Sources/\(module)") {
            for (line, imported) in file.imports {
                let objection = ModuleGraph.objection(to: imported, in: module, declared: declared)
                #expect(objection == nil, "\(file.path):\(line): import \(imported)")
            }
        }
    }

    @Test(arguments: ModuleGraph.floors.dropFirst().flatMap { $0 })
    func `one file of a module says in five lines what the module owns`(module: String) throws {
        let files = try SourceTree.files(below: "Sources/\(module)")
        guard files.reduce(0, { $0 + $1.lines.count }) >= Self.smallModule else { return }
        let introductions = files.filter(\.introducesModule).map(\.path)
        #expect(introductions.count == 1, "\(module) is introduced by \(introductions)")
    }
}
