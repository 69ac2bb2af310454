// SPDX-License-Identifier: GPL-3.0-or-later
// fuzz-importers SECONDS [SEED] [TARGET]: changes the corpus and hands it to every importer for so long in all. It ends
// with 1 at a fault, and with a signal at a crash: then the file named in the first line is the input that did it.

import Files
import Glibc
import ImporterFuzzing

let words = CommandLine.arguments
let seconds = words.count > 1 ? Double(words[1]) ?? 60 : 60
let firstSeed = words.count > 2 ? UInt64(words[2]) ?? 1 : 1
let targets = FuzzTarget.all.filter { words.count < 4 || $0.name == words[3] }
let path = "fuzz-input-\(getpid())"
/// Inputs between two looks at the time.
let batch = 500

/// Whether the time of a target is over; set by the signal that `alarm` sends.
nonisolated(unsafe) var isOver: sig_atomic_t = 0
signal(SIGALRM) { _ in isOver = 1 }

/// Prints a line at once, so that it is there when the next input ends the process.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

say("the input of a crash stays in \(path)")
var faults = 0
for target in targets {
    isOver = 0
    alarm(UInt32(min(86_400, max(1, (seconds / Double(targets.count)).rounded()))))
    var all = FuzzCounts()
    var seed = firstSeed
    repeat {
        let counts = try target.run(inputs: batch, seed: seed, file: path)
        all.accepted += counts.accepted
        all.refused += counts.refused
        for fault in counts.faults { say("\(target.name), seed \(seed): \(fault)") }
        faults += counts.faults.count
        seed += 1
    } while isOver == 0
    let files = try target.seeds().count
    say("\(target.name): \(files) files, \(all.accepted + all.refused) inputs, \(all.accepted) accepted")
}
unlink(path)
exit(faults == 0 ? 0 : 1)
