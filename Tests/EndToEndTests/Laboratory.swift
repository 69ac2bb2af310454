// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation

/// A folder of its own in which the built programs are run.
final class Laboratory {
    /// What a program left behind.
    struct Ending {
        let code: Int32
        let out: String
        let errors: String
    }

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("flotsam-e2e-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of the built programs: the tests stand beside them.
    private static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    static func program(_ name: String) -> String { products.appendingPathComponent(name).path }

    /// Writes a small experiment; `eviction` lists the policies.
    func write(
        _ file: String = "small.yaml", name: String = "small", eviction: String = "[jetsam, lru]",
        replications: Int = 3, duration: String = "2 d", tables: String = "[runs, device_hours]"
    ) throws {
        let text = """
            schema: 1
            name: \(name)
            question: Does it work?
            seed: 1
            start: 2026-03-02 00:00
            duration: \(duration)
            warmup: 12 h
            replications: \(replications)
            device: {base: iphone-13, os: ios-17}
            apps: {catalog: everyday, count: 60}
            user: {persona: average}
            policies: {eviction: \(eviction), scheduling: [opportunistic]}
            baseline: {eviction: jetsam, scheduling: opportunistic}
            metrics: {primary: relaunches_per_day}
            output: {tables: \(tables)}

            """
        try text.write(to: folder.appendingPathComponent(file), atomically: true, encoding: .utf8)
    }

    func bytes(_ path: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(path)) }

    func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// Starts a program in the folder; its outputs go to files, so that no pipe fills.
    func start(_ words: [String], program: String = "flotsam") throws -> Running {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.hasPrefix("/") ? program : Self.program(program))
        process.arguments = words
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        environment["FLOTSAM_MODELS"] = Self.package.appendingPathComponent("models").path
        environment["SWIFT_BACKTRACE"] = "enable=no"
        // What the user of this machine allowed is no part of a test.
        environment["XDG_CONFIG_HOME"] = folder.appending(path: ".config").path
        // The built programs are on the search path, so that hints and examples can be typed as they stand.
        environment["PATH"] = Self.products.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        process.environment = environment
        let running = Running(process: process, folder: folder)
        process.standardOutput = try running.file("out")
        process.standardError = try running.file("stderr")
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return running
    }

    /// Shows a folder of the package in this one.
    func link(_ name: String) throws {
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: name), withDestinationURL: Self.package.appending(path: name))
    }

    /// Runs a line of a shell in the folder, with the built programs on its path.
    func shell(_ line: String) throws -> Ending { try start(["-c", line], program: "/bin/bash").ending() }

    @discardableResult
    func run(_ words: String..., program: String = "flotsam") throws -> Ending {
        try start(words, program: program).ending()
    }
}

/// A program that was started.
struct Running {
    let process: Process
    let folder: URL
    private let name = UUID().uuidString

    init(process: Process, folder: URL) {
        self.process = process
        self.folder = folder
    }

    var identifier: Int32 { process.processIdentifier }

    /// The processes it started.
    var children: [Int32] {
        let path = "/proc/\(identifier)/task/\(identifier)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    func file(_ stream: String) throws -> FileHandle {
        let url = folder.appendingPathComponent(".\(name).\(stream)")
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }

    /// Waits for its end.
    func ending() -> Laboratory.Ending {
        process.waitUntilExit()
        func text(_ stream: String) -> String {
            (try? String(contentsOf: folder.appendingPathComponent(".\(name).\(stream)"), encoding: .utf8)) ?? ""
        }
        let signal = process.terminationReason == .uncaughtSignal
        return Laboratory.Ending(
            code: signal ? -process.terminationStatus : process.terminationStatus, out: text("out"),
            errors: text("stderr"))
    }

    /// Waits until something holds or the program has ended, however busy the machine.
    func wait(until condition: () -> Bool) -> Bool {
        while process.isRunning {
            if condition() { return true }
            usleep(5000)
        }
        return condition()
    }
}
