// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Synchronization

/// Records signals, so that the coordinator can stop between two steps.
///
/// The signals are SIGTERM and those of Ctrl-C, of a closed terminal and of warnings by batch systems.
public enum Interruption {
    private static let signalNumber = Atomic<Int32>(0)

    /// Signals that end a session between two steps.
    private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2]

    /// Starts to record the signals.
    ///
    /// A closed pipe or a file-size limit then causes an error and does not end the process.
    public static func watch() {
        signalNumber.store(0, ordering: .relaxed)
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in watched where !isIgnored(number) {
            signal(number) { number in Interruption.signalNumber.store(number, ordering: .relaxed) }
            sigaddset(&mask, number)
        }
        // A parent process may have blocked these signals, and a process inherits this mask.
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        ignoreWriteSignals()
    }

    /// Whether a signal was ignored at the start of the program, as SIGHUP is under nohup.
    private static func isIgnored(_ number: Int32) -> Bool { OperatingSystem.isIgnored(number) }

    /// Lets a write to a closed pipe, or beyond a file-size limit, fail with an error instead of a signal.
    public static func ignoreWriteSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Whether the program received one of the signals.
    public static var came: Bool { signalNumber.load(ordering: .relaxed) != 0 }
}
