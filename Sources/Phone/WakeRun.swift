import Power
import Quantities

/// Why the system runs an app in the background besides its requests.
enum WakeReason: UInt8 {
    case silentPush
    /// A VoIP push: the app must report a call.
    case call
    /// The user has moved.
    case location
    /// An accessory has something for it.
    case accessory
    /// Its background transfers are done.
    case transferDone
}

/// A short run of an app for an event: the system launches or resumes it, and suspends it when it is done.
struct WakeRun {
    enum Stage: UInt8 {
        case none
        /// Its process is being launched.
        case launching
        /// It computes and waits for its server.
        case computing
        /// It moves its bytes.
        case transferring
    }

    var stage = Stage.none
    var reason = WakeReason.silentPush
    var began = SimTime.zero
    /// When it is cut off.
    var limit = SimTime.distantFuture
    /// When what caused it was sent.
    var sent = SimTime.zero
    var load = LoadHandle.none
    var holdsAwake = false
    /// The radio it moved its bytes over.
    var interface: Interface?
    /// Whether the phone was on power when it began.
    var onPower = false
    /// What the app's background had used by then, in joules; kept for the table of requests only.
    var joules = 0.0
}

extension WakeReason {
    /// What its energy is booked to.
    var cause: Cause {
        switch self {
        case .silentPush, .call: .push
        case .location, .accessory: .backgroundTask
        case .transferDone: .transfer
        }
    }

    /// The name under which the table of requests holds it.
    var work: BackgroundWork {
        switch self {
        case .silentPush: .silentPush
        case .call: .call
        case .location: .location
        case .accessory: .accessory
        case .transferDone: .transferDone
        }
    }
}
