// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Files
import Platform

/// Starts a program that draws pages; the program replaces this process.
enum PlotScript {
    /// Starts the script in the source folder, which creates its own Python environment, or else the installed package.
    static func handOver(_ name: String, _ words: [String]) throws(Diagnostics) -> Int32 {
        guard let script = path(of: name) else {
            return PythonPackage(verb: name, extra: nil, module: "flotsam.plots.__main__").run(words)
        }
        guard isOnPath("python3") else {
            throw Diagnostics(
                "the page is drawn by Python, and there is no python3 on the path",
                hint: "apt-get install python3-venv, then run the same command again, which installs the rest")
        }
        setenv("FLOTSAM", FilePath.real(OperatingSystem.program) ?? "", 0)
        var pointers = ([script] + words).map { strdup($0) }
        pointers.append(nil)
        execv(script, pointers)
        let code = errno
        for pointer in pointers { free(pointer) }
        throw Diagnostics("cannot start \(script): \(String(cString: strerror(code)))")
    }

    /// Path of the script in the source folder; nil if the program is not in the folder `.build` there.
    ///
    /// A script is never executed only because it is in the working folder or above.
    private static func path(of name: String) -> String? {
        // This file is Sources/FlotsamCommand/PlotScript.swift, so the source folder is three levels up.
        let source = FilePath.folder(of: FilePath.folder(of: FilePath.folder(of: #filePath)))
        guard let own = FilePath.programFolder, let real = FilePath.real(source), own.hasPrefix(real + "/.build") else {
            return nil
        }
        let script = FilePath.join(source, "plots/\(name)")
        return FilePath.exists(script) ? script : nil
    }

    private static func isOnPath(_ program: String) -> Bool {
        (FilePath.environment("PATH") ?? "").split(separator: ":").contains {
            access("\($0)/\(program)", X_OK) == 0
        }
    }
}
