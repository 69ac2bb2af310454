// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

/// What write-ups of the life cycle and of background execution say, one by one, and what shows it here.
///
/// Five such texts were read; where they contradict each other or the documents of Apple, the row says what is right.
struct Fact: Sendable, CustomTestStringConvertible {
    /// What shows a fact.
    enum Evidence: Sendable {
        /// Scripts of `Tests/ConformanceTests/scenarios`, without their ending.
        case scripts([String])
        /// Titles of tests.
        case tests([String])
        /// Some of either.
        case both(scripts: [String], tests: [String])
        /// It is not modelled, because …
        case none(String)
    }

    let number: Int
    /// What is written.
    let text: String
    /// What is right, where that is something else.
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
            4, "a suspended app becomes active by way of the background", "for no time at all",
            .both(
                scripts: ["life-states"],
                tests: ["F04, F05: processes move between neighbours only, and end from everywhere"])),
        Fact(
            5, "moves lead between neighbouring states only", "kills and crashes lead from any state to not running",
            .both(
                scripts: ["life-states"],
                tests: ["F04, F05: processes move between neighbours only, and end from everywhere"])),
        Fact(
            6, "each move has its call into the delegate", "",
            .scripts(["life-callbacks-application", "life-callbacks-scenes"])),
        Fact(7, "seven calls before iOS 13, in this order", "", .scripts(["life-callbacks-application"])),
        Fact(8, "nine calls since iOS 13, in this order", "", .scripts(["life-callbacks-scenes"])),
        Fact(
            9, "from willFinishLaunching to didDisconnect in this order", "", .scripts(["life-callbacks-scenes"])),
        Fact(
            10, "windows go their own way; a phone has one", "",
            .both(
                scripts: ["life-windows"],
                tests: ["F10: each window moves on its own, and one that goes never ends the process"])),
        Fact(
            11, "one of three windows is closed: three calls for it, none for the application",
            "closing it in the switcher forgets its session; memory takes a window and keeps its session",
            .scripts(["life-windows", "life-windows-reclaimed"])),
        Fact(
            12, "a window that disconnects is no end of the app", "",
            .scripts(["life-windows", "life-windows-reclaimed"])),
        Fact(
            13, "the Control Centre leads from active to inactive and back, never to the background", "",
            .scripts(["life-interruption"])),
        Fact(
            14, "the home button leads to inactive, to the background, and to suspension", "",
            .scripts(["life-grace"])),
        Fact(
            15, "a call makes the app inactive, or sends it to the background",
            "both: a banner and ringing take the focus, a call that is answered on the whole screen takes the screen",
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
            .none("a launch has one length, from published times of whole launches; nobody publishes the parts")),
        Fact(
            18, "a launch that waits 3 s for its server and computes for 2 s shows nothing for 5 s", "",
            .tests(["F18: a launch waits for the request that its code waits for"])),
        Fact(
            19, "embedded SDKs add half a second to a launch", "`launch.sdk` of each app",
            .tests([
                "F19: SDKs of 100, 50, 200 and 150 ms add half a second to cold and warm launches, none to a resume"
            ])),
        Fact(
            20, "a watch ends an app that takes 20 s to launch", "that is the limit of a phone",
            .both(
                scripts: ["life-watchdogs"],
                tests: ["F20: work in didFinishLaunching delays the app, and ends it after twenty seconds"])),
        Fact(
            21, "an app has three to ten, five, or thirty seconds in the background",
            "five without a task assertion", .scripts(["life-grace"])),
        Fact(
            22, "the system gives thirty seconds in the background, and more on request",
            "it gives thirty because of the request", .scripts(["life-grace", "life-task-ios-18"])),
        Fact(
            23, "`beginBackgroundTask` gives three minutes", "thirty seconds since iOS 13, three minutes until iOS 12",
            .scripts(["life-task-ios-18", "life-task-ios-12", "life-task-ios-6"])),
        Fact(
            24, "an expiration handler has a second, and an assertion that nobody ends costs the process", "",
            .scripts(["life-task-ios-18"])),
        Fact(
            25, "code asks whether more than five seconds remain before it begins something", "",
            .none("a habit of an app's code: its work is drawn whole, `habits.finish_time`")),
    ]

    private static let background: [Fact] = [
        Fact(26, "a refresh has about thirty seconds", "at most", .scripts(["background-expiration"])),
        Fact(
            27, "processing has minutes, on the charger and at night",
            "a request that asks for no power may run without, and hardly does",
            .scripts(["background-conditions", "background-deadline"])),
        Fact(
            28, "a background transfer goes on when its app has ended", "not after a force quit",
            .scripts(["background-transfer", "background-force-quit"])),
        Fact(
            29, "the kind of work follows from its length: up to 5 s, up to 30 s, more", "",
            .none("advice to authors of apps: each app of a catalogue says itself what it asks for")),
        Fact(
            30, "nothing can be asked for within 15 minutes", "the interface has no such limit",
            .both(
                scripts: ["background-one-minute"],
                tests: ["F30: who asks for a refresh every minute has one every minute where nobody holds it back"])),
        Fact(
            31, "`earliestBeginDate` is a floor and no appointment", "", .scripts(["background-floor"])),
        Fact(
            32, "a request that is due while the user is in the app waits until they have left", "",
            .scripts(["background-foreground"])),
        Fact(
            33, "six checks decide: background, date, battery above 20 %, Wi-Fi, a user elsewhere, resources",
            "neither Wi-Fi nor a user elsewhere is asked for; the policy `six-checks` has them for comparison",
            .both(
                scripts: ["background-cellular", "background-floor", "background-foreground", "background-low-power"],
                tests: [
                    "F33: a refresh starts beside a user and over the mobile network, but not with six checks",
                    "F33: six checks ask for battery, Wi-Fi, a dark screen, an inactive user and free memory",
                ])),
        Fact(
            34, "Low Power Mode stops all work in the background",
            "refreshes and what may be put off; calls, music, location and alerts go on",
            .scripts(["background-low-power", "background-silent-push"])),
        Fact(
            35, "the user's pattern, charging, network and battery decide", "",
            .tests([
                "F35: use, charging, network and battery decide how often an app is refreshed",
                "F35: a decision takes the first rule that an explanation shows",
            ])),
        Fact(
            36, "identifiers stand in Info.plist and are registered before the launch ends, or requests are refused",
            "",
            .tests([
                "F36: only what is declared and registered in time is asked for, and runs",
                "F36: requests without their declaration are not permitted",
                "F36: an app that registers late ends at each launch",
            ])),
        Fact(37, "an app asks for the next refresh at the start of each", "", .scripts(["background-floor"])),
        Fact(
            38, "work that never completes costs the app", "it is throttled, and may be ended",
            .scripts(["background-expiration"])),
        Fact(
            39, "modes: audio, location, VoIP, fetch, remote notification, processing, accessories", "",
            .tests([
                "F39: a call launches its app whatever its state, and holds it as long as it lasts",
                "F39: moving about runs apps that follow the location for ten seconds at most, even when force-quit",
                "F39: an accessory runs its app, unless it was force-quit",
            ])),
        Fact(
            40, "audio and location hold an app running without a clock", "",
            .tests(["F40: four hours of music in the background are 120 pieces of two minutes at 128 kbit a second"])),
        Fact(
            41, "the older fetch interface learns from new data, no data and failures", "",
            .tests(["F41: the older fetch interface slows down for nothing and for failures, and recovers"])),
        Fact(
            42, "a silent push runs the app in the background", "as far as an allowance goes",
            .scripts(["background-silent-push"])),
    ]

    private static let ends: [Fact] = [
        Fact(
            43, "suspended apps are ended without a call, the oldest first", "",
            .scripts(["queue-order", "idle-exit"])),
        Fact(
            44, "`applicationWillTerminate` is not called in a suspended app",
            "only in one that executes, at an orderly end",
            .tests(["F44: an orderly end is told to an app that executes, and to none that is suspended"])),
        Fact(
            45, "memory goes to active apps first and is taken from suspended ones", "",
            .scripts(["queue-order", "highwater-order"])),
        Fact(
            46, "an app that is warned drops what it can make again", "only apps that execute are warned",
            .scripts(["notifications"])),
        Fact(
            47, "an app ends by the user's swipe, for memory, by a crash or because it does not answer", "",
            .tests([
                "F47: every category of the background has its cause",
                "F47: every category of the foreground has its cause",
            ])),
        Fact(
            48, "an app that is left saves, lets go of what it shares and gets smaller", "",
            .tests(["F48: an app that is left saves, gets smaller and stops"])),
        Fact(
            49, "an app that comes back fetches what is new", "",
            .tests([
                "F49: an app that comes back fetches what appeared while it was away",
                "F49: an app makes all its requests at once whenever it comes back",
                "F49: an interruption does not fetch the news again",
            ])),
        Fact(
            50, "an app in use saves every minute", "",
            .tests(["F50, F52: a relaunch finds what was saved, and work that was not saved is lost"])),
        Fact(
            51, "work in willResignActive delays the switcher",
            "`habits.resign_time` of each app; after ten seconds the watchdog ends it",
            .tests([
                "F51: work in willResignActive delays the app that comes next by its length",
                "F51: on the way to the home screen only the user waits, and ten seconds end the app",
            ])),
        Fact(
            52, "what was on screen is restored after a launch", "not after a force quit",
            .tests(["F50, F52: a relaunch finds what was saved, and work that was not saved is lost"])),
        Fact(
            53, "the system may purge Caches and tmp; Documents are kept", "",
            .both(
                scripts: ["storage-purge", "storage-full"],
                tests: [
                    "F53: little room takes the caches of the app that was on screen longest ago",
                    "F53: a visit writes by its length",
                ])),
        Fact(
            54, "a low battery lets apps do less, a system upgrade makes them save and leave", "",
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
            "none of it: lmkd kills as silently as jetsam",
            .both(
                scripts: ["android-freezer", "android-kill-order"],
                tests: [
                    "F55: Android calls nothing before a kill, neither onDestroy nor a warning, whoever is killed",
                    "F55: an app is frozen so long after it is cached, which it is when another is left",
                ])),
        Fact(
            56, "background tasks update content, clean databases, update models and synchronise", "",
            .none("kinds of content: to the phone a task is its processor time, its bytes and its needs")),
        Fact(
            57, "background tasks are for nothing that must be on time", "",
            .tests(["F57: what waits too long is given up at its deadline"])),
    ]
}
