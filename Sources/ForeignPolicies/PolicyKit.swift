// SPDX-License-Identifier: GPL-3.0-or-later
import Files

/// A complete policy as a template, in one of several languages.
///
/// The files in the folder `Kit` are part of the program, so no checkout is needed to write them.
public enum PolicyKit: String, Sendable, CaseIterable {
    case c, rust, swift, python

    /// A file of the kit.
    public struct File: Sendable {
        /// Path of the file.
        public let path: String
        /// Content of the file.
        public let text: String
        /// Whether the file is equal for all policies, so that an existing file can be kept.
        public let isShared: Bool
    }

    /// File name extension of the language.
    public var ending: String {
        switch self {
        case .c: ".c"
        case .rust: ".rs"
        case .swift: ".swift"
        case .python: ".py"
        }
    }

    /// Files for a policy at a path, which must end with the extension of the language.
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

    /// Command that builds a policy, to be run in its folder; nil if the language needs no build.
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
