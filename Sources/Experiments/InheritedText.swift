// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Text that workers inherit from the coordinator, so that they need not open the source files.
public final class InheritedText: Sendable {
    /// Descriptor under which a worker finds the text.
    static let descriptor: Int32 = 4

    /// Descriptor of the memory that contains the text.
    let file: Int32

    /// Stores a text for workers; nil if the system has no shared memory.
    public init?(_ text: String) {
        guard let file = Self.memory() else { return nil }
        self.file = file
        var text = text
        let isWhole = text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
                let count = write(file, start, rest.count)
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        guard isWhole else { return nil }
    }

    deinit { close(file) }

    /// Text that a worker inherited; nil if there is none.
    public static func inherited() -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        defer { close(descriptor) }
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size, let start = buffer.baseAddress {
                // All workers share the file position, so each read passes its own offset.
                let read = pread(descriptor, start + count, size - count, off_t(count))
                guard read > 0 else { return }
                count += read
            }
        }
        return bytes.count == size ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// File descriptor of memory that no other process can open by name; nil if the system has no shared memory.
    static func memory() -> Int32? {
        let name = "/flotsam-\(getpid())"
        let made = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else { return nil }
        shm_unlink(name)
        // The duplicate has a number from 10 on, which a worker's own descriptors do not use.
        let file = fcntl(made, F_DUPFD_CLOEXEC, 10)
        close(made)
        return file >= 0 ? file : nil
    }
}
