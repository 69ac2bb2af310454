// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Files
import Glibc

/// The scripts of `plots`, which draw pages; this program ends by becoming one of them.
enum PlotScript {
    /// Becomes the script, which makes its own Python environment.
    static func handOver(_ name: String, _ words: [String]) throws(Diagnostics) -> Int32 {
        guard let script = path(of: name) else {
            throw Diagnostics(
                "the script plots/\(name) is neither beside this program nor in the source that it was built from",
                hint: "it is part of Flotsam's source; call it there: plots/\(name) " + shellWord(words[0]))
        }
        guard isOnPath("python3") else {
            throw Diagnostics(
                "the page is drawn by Python, and there is no python3 on the path",
                hint: "apt-get install python3-venv, then the same command again: the rest is installed by itself")
        }
        setenv("FLOTSAM", FilePath.real("/proc/self/exe") ?? "", 0)
        var pointers = ([script] + words).map { strdup($0) }
        pointers.append(nil)
        execv(script, pointers)
        let code = errno
        for pointer in pointers { free(pointer) }
        throw Diagnostics("cannot start \(script): \(String(cString: strerror(code)))")
    }

    /// The program's own script.
    ///
    /// It lies beside the program, in its share folder as an installation lays it, or in the source folder that the
    /// program was built from and lies in. Nothing is executed because it lies in or above the working folder.
    private static func path(of name: String) -> String? {
        guard let own = FilePath.programFolder else { return nil }
        return folders(own).map { FilePath.join($0, "plots/\(name)") }.first(where: FilePath.exists)
    }

    private static func folders(_ own: String) -> [String] {
        // Sources/FlotsamCommand/PlotScript.swift
        let source = FilePath.folder(of: FilePath.folder(of: FilePath.folder(of: #filePath)))
        let isBuiltThere = FilePath.real(source).map { own.hasPrefix($0 + "/.build") } ?? false
        return [own, FilePath.folder(of: own) + "/share/flotsam"] + (isBuiltThere ? [source] : [])
    }

    private static func isOnPath(_ program: String) -> Bool {
        (FilePath.environment("PATH") ?? "").split(separator: ":").contains {
            access("\($0)/\(program)", X_OK) == 0
        }
    }
}
