// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

/// A statement that a write-up makes about the life cycle or background execution, and what shows it here.
///
/// The statements are from five texts. The verdict corrects those that contradict each other or Apple's documents.
struct Fact: Sendable, CustomTestStringConvertible {
    /// What shows a fact.
    enum Evidence: Sendable {
        /// Scripts of `Tests/ConformanceTests/scenarios`, without their ending.
        case scripts([String])
        /// Titles of tests.
        case tests([String])
        /// Some of either.
        case both(scripts: [String], tests: [String])
        /// Nothing, since it is not modelled: the reason.
        case none(String)
    }

    let number: Int
    /// The statement.
    let text: String
    /// The correction; empty for a correct statement.
    let verdict: String
    let evidence: Evidence

    var testDescription: String { id }
    /// `F01` and so on.
    var id: String { number < 10 ? "F0\(number)" : "F\(number)" }

    private init(_ number: Int, _ text: String, _ verdict: String, _ evidence: Evidence) {
        self.number = number
        self.text = text
        self.verdict = verdict
        self.evidence = evidence
    }

    static let all = states + launches + background + ends

    private static let states: [Fact] = [
        Fact(
            1, "an app is not running, inactive, active, in the background or suspended", "",
            .both(
                scripts: ["life-states"],
                tests: ["F01: the process is as far in the foreground as its foremost window"])),
        Fact(
            2, "only an inactive, active or background app executes", "",
            .scripts(["life-grace", "life-prewarm"])),
        Fact(3, "a launch by the user passes through inactive", "", .scripts(["life-callbacks-scenes"])),
        Fact(
            4, "a suspended app becomes active by way of the background", "it spends no time in the background",
            .both(
                scripts: ["life-states"],
                tests: ["F04, F05: processes move between neighbours only, and end from everywhere"])),
        Fact(
            5, "an app moves between neighbouring states only", "a kill or a crash ends it from any state",
            .both(
                scripts: ["life-states"],
                tests: ["F04, F05: processes move between neighbours only, and end from everywhere"])),
        Fact(
            6, "each move calls a method of the delegate", "",
            .scripts(["life-callbacks-application", "life-callbacks-scenes"])),
        Fact(
            7, "before iOS 13, a life cycle has seven calls in a fixed order", "",
            .scripts(["life-callbacks-application"])),
        Fact(
            8, "since iOS 13, a life cycle has nine calls in a fixed order", "",
            .scripts(["life-callbacks-scenes"])),
        Fact(
            9, "the calls from willFinishLaunching to didDisconnect have a fixed order", "",
            .scripts(["life-callbacks-scenes"])),
        Fact(
            10, "each window has its own state; a phone has one window", "",
            .both(
                scripts: ["life-windows"],
                tests: ["F10: each window moves on its own, and one that goes never ends the process"])),
        Fact(
            11, "closing one of three windows makes three calls for the window and none for the application",
            "closing it in the app switcher deletes its session; reclaiming its memory keeps the session",
            .scripts(["life-windows", "life-windows-reclaimed"])),
        Fact(
            12, "disconnecting a window does not end the app", "",
            .scripts(["life-windows", "life-windows-reclaimed"])),
        Fact(
            13, "Control Centre makes an app inactive and then active again; the app stays out of the background", "",
            .scripts(["life-interruption"])),
        Fact(
            14, "the home button makes an app inactive, then moves it to the background and suspends it", "",
            .scripts(["life-grace"])),
        Fact(
            15, "a call makes the app inactive or sends it to the background",
            "both: a banner or ringing makes it inactive; answering on the full screen sends it to the background",
            .scripts(["life-call-banner", "life-call-full-screen"])),
    ]

    private static let launches: [Fact] = [
        Fact(
            16, "an app is launched cold, launched warm, or resumed", "",
            .tests([
                "F16: an app is launched cold, resumed, and launched warm soon after its end, each faster than cold",
                "F16: a launch in the background says of what kind it was",
            ])),
        Fact(
            17, "a launch loads the binary, runs main, makes the application, its delegate and its interface", "",
            .none("a launch has one length, from published times of whole launches; the parts are not published")),
        Fact(
            18, "a launch that waits 3 s for its server and computes for 2 s shows nothing for 5 s", "",
            .tests(["F18: a launch waits for the request that its code waits for"])),
        Fact(
            19, "embedded SDKs add half a second to a launch", "set by `launch.sdk` of each app",
            .tests([
                "F19: SDKs of 100, 50, 200 and 150 ms add half a second to cold and warm launches, none to a resume"
            ])),
        Fact(
            20, "a watchdog ends an app that takes 20 s to launch", "20 s is the limit on a phone",
            .both(
                scripts: ["life-watchdogs"],
                tests: ["F20: work in didFinishLaunching delays the app, and ends it after twenty seconds"])),
        Fact(
            21, "an app has three to ten, five, or thirty seconds in the background",
            "five seconds without a task assertion", .scripts(["life-grace"])),
        Fact(
            22, "the system gives thirty seconds in the background, and more on request",
            "an app gets the thirty seconds only on request", .scripts(["life-grace", "life-task-ios-18"])),
        Fact(
            23, "`beginBackgroundTask` gives three minutes", "thirty seconds since iOS 13; three minutes until iOS 12",
            .scripts(["life-task-ios-18", "life-task-ios-12", "life-task-ios-6"])),
        Fact(
            24, "an expiration handler has a second, and an assertion that is not ended costs the process", "",
            .scripts(["life-task-ios-18"])),
        Fact(
            25, "code checks that more than five seconds remain before it begins something", "",
            .none("this is a habit of an app's code; `habits.finish_time` gives the whole length of the work")),
    ]

    private static let background: [Fact] = [
        Fact(26, "a refresh has about thirty seconds", "thirty seconds at most", .scripts(["background-expiration"])),
        Fact(
            27, "processing has minutes, on the charger and at night",
            "a request that does not require power may run on battery, but rarely does",
            .scripts(["background-conditions", "background-deadline"])),
        Fact(
            28, "a background transfer goes on when its app has ended", "not after a force quit",
            .scripts(["background-transfer", "background-force-quit"])),
        Fact(
            29, "the length of the work decides its kind: up to 5 s, up to 30 s, or more", "",
            .none("this is advice for authors; each app of a catalogue states its own requests")),
        Fact(
            30, "an app cannot request work within 15 minutes", "the interface has no such limit",
            .both(
                scripts: ["background-one-minute"],
                tests: ["F30: an app that requests a refresh every minute gets one if nothing holds it back"])),
        Fact(
            31, "`earliestBeginDate` is a lower bound, not an appointment", "", .scripts(["background-floor"])),
        Fact(
            32, "a request that is due while the user is in the app waits until they have left", "",
            .scripts(["background-foreground"])),
        Fact(
            33, "six checks decide: background, date, battery above 20 %, Wi-Fi, a user elsewhere, resources",
            "Wi-Fi and an absent user are not required; the policy `six-checks` requires both for comparison",
            .both(
                scripts: ["background-cellular", "background-floor", "background-foreground", "background-low-power"],
                tests: [
                    "F33: a refresh starts beside a user and over the mobile network, but not with six checks",
                    "F33: six checks ask for battery, Wi-Fi, a dark screen, an inactive user and free memory",
                ])),
        Fact(
            34, "Low Power Mode stops all work in the background",
            "only refreshes and work that can wait; calls, music, location and alerts go on",
            .scripts(["background-low-power", "background-silent-push"])),
        Fact(
            35, "the user's pattern, charging, network and battery decide", "",
            .tests([
                "F35: use, charging, network and battery decide how often an app is refreshed",
                "F35: a decision takes the first rule that an explanation shows",
            ])),
        Fact(
            36, "an app declares identifiers in Info.plist and registers them during launch, or requests are refused",
            "",
            .tests([
                "F36: only what is declared and registered in time is asked for, and runs",
                "F36: requests without their declaration are not permitted",
                "F36: an app that registers late ends at each launch",
            ])),
        Fact(37, "an app requests the next refresh when one starts", "", .scripts(["background-floor"])),
        Fact(
            38, "work that never completes costs the app", "the app is throttled and may be ended",
            .scripts(["background-expiration"])),
        Fact(
            39, "the modes are audio, location, VoIP, fetch, remote notification, processing and accessories", "",
            .tests([
                "F39: a call launches its app whatever its state, and holds it as long as it lasts",
                "F39: moving about runs apps that follow the location for ten seconds at most, even when force-quit",
                "F39: an accessory runs its app, unless it was force-quit",
            ])),
        Fact(
            40, "audio and location keep an app running without a time limit", "",
            .tests(["F40: four hours of music in the background are 120 pieces of two minutes at 128 kbit a second"])),
        Fact(
            41, "the older fetch interface learns from new data, no data and failures", "",
            .tests(["F41: the older fetch interface slows down for nothing and for failures, and recovers"])),
        Fact(
            42, "a silent push runs the app in the background", "while its allowance lasts",
            .scripts(["background-silent-push"])),
    ]

    private static let ends: [Fact] = [
        Fact(
            43, "the system ends suspended apps without a call, the oldest first", "",
            .scripts(["queue-order", "idle-exit"])),
        Fact(
            44, "`applicationWillTerminate` is not called in a suspended app",
            "it is called only in an app that executes, at an orderly end",
            .tests(["F44: an app that executes is notified of an orderly end, a suspended one is not"])),
        Fact(
            45, "memory goes to active apps first and is taken from suspended ones", "",
            .scripts(["queue-order", "highwater-order"])),
        Fact(
            46, "on a memory warning, an app drops data that it can recreate", "only apps that execute are warned",
            .scripts(["notifications"])),
        Fact(
            47, "an app ends by a swipe, by memory pressure, by a crash or because it does not respond", "",
            .tests([
                "F47: every category of the background has its cause",
                "F47: every category of the foreground has its cause",
            ])),
        Fact(
            48, "an app that the user leaves saves, releases shared resources and shrinks", "",
            .tests(["F48: an app that is left saves, gets smaller and stops"])),
        Fact(
            49, "an app that returns to the screen fetches new content", "",
            .tests([
                "F49: an app that comes back fetches what appeared while it was away",
                "F49: an app makes all its requests at once whenever it comes back",
                "F49: an interruption does not fetch the news again",
            ])),
        Fact(
            50, "an app in use saves every minute", "",
            .tests(["F50, F52: a relaunch finds what was saved, and work that was not saved is lost"])),
        Fact(
            51, "work in willResignActive delays the app switcher",
            "set by `habits.resign_time` of each app; after ten seconds the watchdog ends the app",
            .tests([
                "F51: work in willResignActive delays the app that comes next by its length",
                "F51: on the way to the home screen only the user waits, and ten seconds end the app",
            ])),
        Fact(
            52, "a launch restores the previous screen", "not after a force quit",
            .tests(["F50, F52: a relaunch finds what was saved, and work that was not saved is lost"])),
        Fact(
            53, "the system may purge Caches and tmp but keeps Documents", "",
            .both(
                scripts: ["storage-purge", "storage-full"],
                tests: [
                    "F53: little room takes the caches of the app that was on screen longest ago",
                    "F53: a visit writes by its length",
                ])),
        Fact(
            54, "apps do less on a low battery, and save and quit for a system upgrade", "",
            .both(
                scripts: ["background-restart"],
                tests: [
                    "F54: for a new system everybody saves and leaves, and work waits for the first unlock",
                    "F54: while the battery is low it computes its share",
                    "F54: in Low Power Mode it streams its share",
                    "F54: it saves when Low Power Mode begins, and loses what comes after",
                ])),
        Fact(
            55, "Android always calls onDestroy, lets an app clean up for any time and warns before a kill",
            "wrong in all three: lmkd kills as silently as jetsam",
            .both(
                scripts: ["android-freezer", "android-kill-order"],
                tests: [
                    "F55: Android calls nothing before any kill, neither onDestroy nor a warning",
                    "F55: an app is frozen so long after it is cached, which it is when another is left",
                ])),
        Fact(
            56, "background tasks update content, clean databases, update models and synchronise", "",
            .none("these are kinds of content; the model knows a task's processor time, bytes and requirements")),
        Fact(
            57, "background tasks do not suit work that must be on time", "",
            .tests(["F57: what waits too long is given up at its deadline"])),
    ]
}
