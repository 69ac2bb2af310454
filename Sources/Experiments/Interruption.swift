// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// Notes Ctrl-C and a polite kill, so that the coordinator can stop between two steps.
public enum Interruption {
    private static let signalNumber = Atomic<Int32>(0)

    /// Starts to note SIGINT and SIGTERM; a closed pipe and a file-size limit become errors instead of deaths.
    public static func watch() {
        signalNumber.store(0, ordering: .relaxed)
        signal(SIGINT) { number in Interruption.signalNumber.store(number, ordering: .relaxed) }
        signal(SIGTERM) { number in Interruption.signalNumber.store(number, ordering: .relaxed) }
        var both = sigset_t()
        sigemptyset(&both)
        sigaddset(&both, SIGINT)
        sigaddset(&both, SIGTERM)
        // Whoever started this program may have blocked them, and the mask is inherited.
        pthread_sigmask(SIG_UNBLOCK, &both, nil)
        ignoreWriteSignals()
    }

    /// Makes a closed pipe and a file-size limit errors of the write that hits them.
    public static func ignoreWriteSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Whether a signal came.
    public static var came: Bool { signalNumber.load(ordering: .relaxed) != 0 }
}
