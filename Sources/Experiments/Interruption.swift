// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Synchronization

/// Records Ctrl-C, SIGTERM, a closed terminal and the warnings of a batch system, so that the coordinator can stop
/// between two steps.
public enum Interruption {
    private static let signalNumber = Atomic<Int32>(0)

    /// Signals that end a session between two steps.
    private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2]

    /// Starts to watch for the signals; a closed pipe and a file-size limit become errors instead of ending the
    /// process.
    public static func watch() {
        signalNumber.store(0, ordering: .relaxed)
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in watched where !isIgnored(number) {
            signal(number) { number in Interruption.signalNumber.store(number, ordering: .relaxed) }
            sigaddset(&mask, number)
        }
        // The parent process may have blocked them, and the mask is inherited.
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        ignoreWriteSignals()
    }

    /// Whether a signal was ignored at the start, as SIGHUP is under nohup.
    private static func isIgnored(_ number: Int32) -> Bool { OperatingSystem.isIgnored(number) }

    /// Makes a closed pipe and a file-size limit errors of the write that hits them.
    public static func ignoreWriteSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Whether one of the signals came.
    public static var came: Bool { signalNumber.load(ordering: .relaxed) != 0 }
}
