// SPDX-License-Identifier: GPL-3.0-or-later
import Files

/// A complete policy to start from, in a language of your choice.
///
/// The files of the folder `Kit` are part of the program, so writing them needs no checkout.
public enum PolicyKit: String, Sendable, CaseIterable {
    case c, rust, swift, python

    /// A file of the kit.
    public struct File: Sendable {
        /// Path of the file.
        public let path: String
        /// Content of the file.
        public let text: String
        /// Whether the file is the same for every policy, so that an existing one may be kept.
        public let isShared: Bool
    }

    /// Ending of the files of the language.
    public var ending: String {
        switch self {
        case .c: ".c"
        case .rust: ".rs"
        case .swift: ".swift"
        case .python: ".py"
        }
    }

    /// The files for a policy at a path that has the language's ending.
    public func files(_ path: String) -> [File] {
        let folder = FilePath.folder(of: path)
        let name = String(FilePath.name(of: path).dropLast(ending.count))
        let own = File(path: path, text: text.replacing("NAME", with: name), isShared: false)
        let (shared, bytes) =
            self == .python
            ? ("flotsam_policy.py", PackageResources.flotsam_policy_py_in)
            : ("flotsam_policy.h", PackageResources.flotsam_policy_h_in)
        let beside = File(
            path: FilePath.join(folder, shared), text: String(decoding: bytes, as: UTF8.self), isShared: true)
        return [own, beside]
    }

    /// The command that builds a policy, run in its folder; nil where there is nothing to build.
    public func build(_ path: String) -> String? {
        files(path)[0].text.split(separator: "\n").lazy.compactMap { line in
            line.firstRange(of: "Build:").map { String(line[$0.upperBound...].drop { $0 == " " }) }
        }.first
    }

    private var text: String {
        let bytes =
            switch self {
            case .c: PackageResources.policy_c_in
            case .rust: PackageResources.policy_rs_in
            case .swift: PackageResources.policy_swift_in
            case .python: PackageResources.policy_py_in
            }
        return String(decoding: bytes, as: UTF8.self)
    }
}
