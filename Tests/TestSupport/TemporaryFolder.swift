// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Foundation

/// A folder of the system's temporary ones that goes away with its owner.
public final class TemporaryFolder {
    /// The folder.
    public let path: String

    /// Makes a folder with a name that nobody else has.
    public init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "flotsam-test-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a folder in it.
    public func makeFolder(_ name: String) throws { try createDirectory("\(path)/\(name)") }

    /// Writes a file in it.
    public func write(_ name: String, _ text: String) throws { try replaceFile("\(path)/\(name)", with: text) }
}
