import Vocabulary

/// What one part of the phone tells all others has happened; `Phone` routes each in a fixed order.
package enum Signal: BitwiseCopyable {
    /// The user wants an app: everybody draws what the visit will be like, whether or not it takes place.
    case opening(AppID)
    /// The draws are done; the visit begins, or is missed.
    case open(AppID)
    /// The app in front is about to be left, and executes still.
    case leaving(AppID)
    /// The app that the user wants comes to the front: what it did in the background ends.
    case comingToFront(AppID)
    /// The app is in front for the first time in its visit, active.
    case active(AppID)
    /// The user picked the phone up.
    case unlocked
    /// The user locks the phone; whoever was in front has been left.
    case locking(left: AppID)
    /// The user swipes an app away; it is not in front any more.
    case forceQuit(AppID)
    /// An app executes in the background and may ask for what it wants.
    case executing(AppID)
    /// An app was launched for a call, or executes anyway: it must report the call.
    case callDelivered(AppID)
    /// The network in use changed; whether there was none before.
    case networkChanged(fromNone: Bool)
    /// The battery is empty: everything stops.
    case powerLost
    /// The phone is on again.
    case powerBack
    /// The memory-pressure level or the thermal state is such that work must end.
    case shed
}
