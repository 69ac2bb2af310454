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
                "the script plots/\(name) is neither beside this program nor above it or the working folder",
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

    /// The script, looked for as models are: above the working folder, above the program, in the source folder.
    private static func path(of name: String) -> String? {
        for start in [".", FilePath.programFolder, FilePath.folder(of: #filePath)] {
            guard var folder = start.flatMap(FilePath.real) else { continue }
            while true {
                let path = FilePath.join(folder, "plots/\(name)")
                if FilePath.exists(path) { return path }
                if folder == "/" { break }
                folder = FilePath.folder(of: folder)
            }
        }
        return nil
    }

    private static func isOnPath(_ program: String) -> Bool {
        (FilePath.environment("PATH") ?? "").split(separator: ":").contains {
            access("\($0)/\(program)", X_OK) == 0
        }
    }
}
