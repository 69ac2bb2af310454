/// Reasons of the tables in words.
enum WhyReasons {
    /// What a reason means to somebody who builds phones or apps.
    static func words(_ reason: String) -> String {
        switch reason {
        case "no-request": "nothing was asked for: the chain was broken, dropped or not begun"
        case "running": "it ran"
        case "not-asked": "the scheduler did not look: the phone was off, or about to look"
        case "earliest-begin": "the app itself asked for no earlier"
        case "below-threshold": "the score was below the bar"
        case "rate-limit": "its last run was too short a time ago"
        case "group-limit": "all places for background launches were taken"
        case "low-power-mode": "Low Power Mode was on"
        case "battery-critical": "the battery was low and the phone off the charger"
        case "energy-budget": "the day's energy budget was used up"
        case "cellular-budget": "the day's cellular budget was used up"
        case "not-used-recently": "the user had not opened the app for too long"
        case "needs-charger": "it waited for a charger"
        case "requires-power": "the request asked for external power, and there was none"
        case "requires-network": "the request asked for a network, and there was none"
        case "needs-wifi": "the policy waited for Wi-Fi"
        case "device-in-use": "somebody used the phone"
        case "not-idle-long-enough": "the phone had been locked for too short a time"
        case "foreground": "the user was looking at the app"
        case "force-quit": "the user had force-quit the app"
        case "first-unlock": "the phone had been started and not unlocked yet"
        case "busy": "other work of the app was under way"
        case "herd": "launches were held back after a long absence"
        case "thermal": "the phone was too warm"
        case "memory-pressure": "memory pressure was critical"
        case "processor-busy": "the processor was busy"
        case "throttled": "its last run ended without completion, which counts against it"
        case "deadline": "its time had run out"
        case "quota": "the app's quota was used up"
        case "doze": "the phone dozed between two maintenance windows"
        case "batch-window", "joined-batch": "it waited to share a wake-up"
        case "heartbeat": "it waited for the radio to be up anyway"
        case "backlog": "waiting was still cheaper than the radio"
        case "not-expected-soon": "the app was not expected to be opened soon"
        case "back-off": "earlier refreshes went unseen, so it backed off"
        default: "the policy's rule \(reason)"
        }
    }
}
