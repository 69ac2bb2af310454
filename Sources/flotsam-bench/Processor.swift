// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Keeps this process, and those it starts, on one core.
///
/// The C library declares `sched_setaffinity` only for programs that ask for GNU extensions, so the function is looked
/// up by its name.
/// - Returns: whether the system allowed it.
func pinToCore(_ core: Int) -> Bool {
    typealias SetAffinity = @convention(c) (pid_t, Int, UnsafeRawPointer) -> CInt
    guard (0..<1_024).contains(core), let program = dlopen(nil, RTLD_NOW),
        let symbol = dlsym(program, "sched_setaffinity")
    else { return false }
    var set = [UInt64](repeating: 0, count: 16)
    set[core / 64] = 1 << (core % 64)
    return unsafeBitCast(symbol, to: SetAffinity.self)(0, set.count * 8, &set) == 0
}

/// Processor time of this process in seconds.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Standard error as a C stream.
func stderrStream() -> UnsafeMutablePointer<FILE>? { fdopen(2, "w") }
