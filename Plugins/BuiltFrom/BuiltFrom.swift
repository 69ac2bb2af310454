// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import PackagePlugin

/// Writes into a build the version of the file VERSION, and into the program a hash of all sources and the commit that
/// is checked out.
@main struct BuiltFrom: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let folder = context.pluginWorkDirectoryURL
        func path(_ url: URL) -> String { url.path(percentEncoded: false) }
        func command(_ name: String, _ inputs: [URL], _ words: [String]) -> Command {
            let output = folder.appending(path: name)
            return .buildCommand(
                displayName: "Writing \(name)", executable: URL(filePath: "/bin/sh"),
                arguments: [path(package.appending(path: "packaging/built-from")), path(output), path(package)] + words,
                inputFiles: inputs, outputFiles: [output])
        }
        if target.name == "FlotsamCommand" {
            return [command("Version.swift", [package.appending(path: "VERSION")], ["version"])]
        }
        // As the walk goes: the order of what is hashed is the script's.
        let walk = FileManager.default.enumerator(
            at: package.appending(path: "Sources"), includingPropertiesForKeys: [.isRegularFileKey])
        let sources = (walk?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }
        let files = sources + ["Package.swift", "VERSION"].map { package.appending(path: $0) }
        return [command("Source.swift", files, ["source", commit(of: package) ?? ""])]
    }

    /// The commit that is checked out in the folder; nil outside of a repository.
    private func commit(of folder: URL) -> String? {
        func text(_ url: URL) -> String? {
            (try? String(contentsOf: url, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let git = folder.appending(path: ".git")
        guard let head = text(git.appending(path: "HEAD")) else { return nil }
        guard head.hasPrefix("ref: ") else { return head }
        let name = head.dropFirst(5)
        if let commit = text(git.appending(path: name)) { return commit }
        let packed = text(git.appending(path: "packed-refs"))?.split(separator: "\n") ?? []
        return packed.first { $0.hasSuffix(" \(name)") }.map { String($0.prefix { $0 != " " }) }
    }
}
