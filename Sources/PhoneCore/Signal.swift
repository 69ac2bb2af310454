// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// An event to which other behaviours can react; `Phone` routes each signal in a fixed order.
package enum Signal: BitwiseCopyable {
    /// The user wants an app; behaviours draw the properties of the visit, even if the visit will be missed.
    case opening(AppID)
    /// The draws are completed; the visit begins or is missed.
    case open(AppID)
    /// The user is about to leave the foreground app, which still executes.
    case leaving(AppID)
    /// The app that the user wants comes to the front; its background work ends.
    case comingToFront(AppID)
    /// The foreground app is active for the first time in its visit.
    case active(AppID)
    /// The user picked up the phone.
    case unlocked
    /// The user locks the phone; the foreground app has already been left.
    case locking(left: AppID)
    /// The user swipes away an app, which is no longer in front.
    case forceQuit(AppID)
    /// The system removes a long-unused app but keeps its data.
    case offloaded(AppID)
    /// An app executes in the background and may submit requests.
    case executing(AppID)
    /// A push was delivered to an app that leaves the work to a job.
    case jobSetOff(AppID)
    /// An app that was launched for a call, or already executes, must report the call.
    case callDelivered(AppID)
    /// An app that a VoIP push ran has reported no call.
    case callMissed(AppID)
    /// The network in use changed; `fromNone` states whether there was no network before.
    case networkChanged(fromNone: Bool)
    /// The battery is empty, so all activity stops.
    case powerLost
    /// The phone is switched on again.
    case powerBack
    /// The phone goes off for this time.
    case restarting(SimDuration, RestartCause)
    /// The memory-pressure level or the thermal state requires that continued work ends.
    case shed
    /// A call, an alarm or an assistant takes the focus of the app on screen for this time.
    case interrupting(SimDuration)
    /// A call or an alarm silences playback.
    case soundInterrupted
    /// The interruption of playback is over.
    case soundBack
    /// A call that had sent an app to the background is over.
    case backFromCall(AppID)
    /// An app reports an incoming call, with its length if it is answered.
    case callRings(AppID, SimDuration?)
    /// An additional process of an app is needed.
    case processNeeded(AppID, AppProcess.Kind)
    /// Low Power Mode has begun or ended.
    case lowPowerMode
    /// Little storage is free, or a write has failed.
    case diskLow
}
