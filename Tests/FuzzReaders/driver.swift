// SPDX-License-Identifier: GPL-3.0-or-later
// The driver of libFuzzer, which has the `main` of the program that it makes: `Tests/FuzzReaders/fuzz` builds it.
// FLOTSAM_READER names the reader. With FLOTSAM_SEEDS=FOLDER it writes the inputs that changes begin from, and ends.

import Files
import Glibc
import ReaderFuzzing

private let target: ReaderTarget = {
    let name = getenv("FLOTSAM_READER").map { String(cString: $0) } ?? ""
    if let target = ReaderTarget.all.first(where: { $0.name == name }) { return target }
    for target in ReaderTarget.all { print(target.name, target.longest) }
    exit(name.isEmpty ? 0 : 2)
}()

/// Called once, before any input.
@c(LLVMFuzzerInitialize)
public func initialize(_ count: UnsafeMutableRawPointer, _ words: UnsafeMutableRawPointer) -> CInt {
    let target = target
    guard let folder = getenv("FLOTSAM_SEEDS").map({ String(cString: $0) }) else { return 0 }
    do {
        for (number, seed) in try target.seeds().enumerated() {
            try OutputFile(creating: "\(folder)/seed-\(number)").write(seed)
        }
    } catch {
        print("\(target.name): \(error)")
        exit(1)
    }
    exit(0)
}

/// Called with every input.
@c(LLVMFuzzerTestOneInput)
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
