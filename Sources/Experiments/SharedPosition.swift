// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import Platform

/// Memory page that a worker shares with its coordinator.
///
/// The worker writes the position of its run into the page, which remains readable after the worker has ended.
final class SharedPosition {
    /// Descriptor under which a worker finds the page.
    static let descriptor: Int32 = 3
    private static let length = MemoryLayout<RunPosition>.stride

    /// Descriptor of the page; -1 after it was closed.
    private(set) var file: Int32
    private let memory: UnsafeMutablePointer<RunPosition>

    /// Creates, in the coordinator, a page that no other process can open; nil if the system has no shared memory.
    init?() {
        guard let file = InheritedText.memory() else { return nil }
        guard ftruncate(file, Self.length) == 0, let memory = Self.map(file) else {
            close(file)
            return nil
        }
        self.file = file
        self.memory = memory
    }

    /// Opens the coordinator's page in the worker; nil if there is none.
    init?(inherited file: Int32) {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == Self.length,
            let memory = Self.map(file)
        else { return nil }
        self.file = file
        self.memory = memory
    }

    deinit {
        munmap(memory, Self.length)
        closeFile()
    }

    /// Closes the descriptor; the page stays in memory.
    func closeFile() {
        if file >= 0 { close(file) }
        file = -1
    }

    /// Last position of the worker's run.
    var position: RunPosition { memory.pointee }

    /// Watch to which a run writes its position.
    var watch: RunWatch { RunWatch(memory) }

    private static func map(_ file: Int32) -> UnsafeMutablePointer<RunPosition>? {
        let page = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let page, page != MAP_FAILED else { return nil }
        return page.bindMemory(to: RunPosition.self, capacity: 1)
    }
}
