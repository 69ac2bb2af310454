// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

extension FilePath {
    /// The running program as a shell finds it, so that hints can be typed as they stand.
    ///
    /// Its bare name where the search path leads to this very program, else the path by which it was started.
    public static let programWord: String = {
        let started = CommandLine.arguments.first ?? "flotsam"
        let bare = name(of: started)
        guard let own = real(OperatingSystem.program), let found = onSearchPath(bare), real(found) == own else {
            return started.contains("/") ? started : real(OperatingSystem.program) ?? started
        }
        return bare
    }()

    /// The program that a shell starts by a bare name, or nil.
    public static func onSearchPath(_ name: String) -> String? {
        let folders = (environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
        return folders.map { join($0, name) }.first { access($0, X_OK) == 0 && !isDirectory($0) }
    }
}
