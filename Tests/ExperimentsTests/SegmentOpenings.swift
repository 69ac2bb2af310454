// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import TestSupport

/// Counts how often the segments of a directory are opened, by whichever process, as the kernel tells it.
final class SegmentOpenings {
    private let descriptor: Int32

    /// Begins to count.
    init(in folder: String) throws {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard inotify_add_watch(descriptor, folder, UInt32(IN_OPEN)) >= 0 else {
            throw FileError(action: "watch", path: folder, code: errno)
        }
    }

    deinit { close(descriptor) }

    /// The openings until now and since they were last asked for, by the segment's name.
    func counts() -> [String: Int] {
        var counts: [String: Int] = [:]
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &bytes, bytes.count), count > 0 {
            bytes.withUnsafeBytes { raw in
                var start = 0
                while start < count {
                    // `inotify(7)`: watch, mask, cookie, length of the name, name and zeros.
                    let length = Int(raw.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
                    let name = raw[start + 16..<start + 16 + length].prefix { $0 != 0 }
                    let text = String(decoding: name, as: UTF8.self)
                    if text.hasSuffix(".seg") { counts[text, default: 0] += 1 }
                    start += 16 + length
                }
            }
        }
        return counts
    }
}
