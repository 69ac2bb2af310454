// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

extension FilePath {
    /// Name or path by which a shell finds the running program, for command lines in hints.
    ///
    /// The bare name is used if the search path leads to this program. Otherwise the result is the path by which the
    /// program was started or, if the program was started by a bare name, its absolute path.
    public static let programWord: String = {
        let started = CommandLine.arguments.first ?? "flotsam"
        let bare = name(of: started)
        guard let own = real(OperatingSystem.program), let found = onSearchPath(bare), real(found) == own else {
            return started.contains("/") ? started : real(OperatingSystem.program) ?? started
        }
        return bare
    }()

    /// Program that a shell starts for a bare name; nil when there is none.
    public static func onSearchPath(_ name: String) -> String? {
        let folders = (environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
        return folders.map { join($0, name) }.first { access($0, X_OK) == 0 && !isDirectory($0) }
    }
}
