// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@testable import Scenario

/// Five apps whose declarations cannot work, and one whose do.
@Suite struct DeclarationTests {
    private func warnings(_ app: String, overrides: [String] = []) throws -> [(message: String, hint: String)] {
        let text = sample + "\napp: {name: mine, category: utility, " + app + "}"
        let source = SourceText(name: "a.yaml", text: text)
        return try loadExperiment(source, overrides: overrides, library: library).warnings.list
            .map { ($0.message, $0.hint ?? "") }
    }

    @Test(arguments: [
        (
            "refresh: {every: 1 h}, declares: {fetch: false}",
            "every refresh request is refused: Error Domain=BGTaskSchedulerErrorDomain Code=3 (notPermitted)",
            "add \"fetch\" to UIBackgroundModes"
        ),
        (
            "refresh: {every: 1 h}, processing: {per_day: 1}, declares: {processing_identifiers: 0}",
            "every processing request is refused: Error Domain=BGTaskSchedulerErrorDomain Code=3 (notPermitted)",
            "add the task's identifier to BGTaskSchedulerPermittedIdentifiers"
        ),
        (
            "processing: {per_day: 20}, declares: {processing_identifiers: 12}",
            "pending requests beyond 10 are refused: Error Domain=BGTaskSchedulerErrorDomain Code=2 "
                + "(tooManyPendingTaskRequests)", "declare at most 10 identifiers"
        ),
        (
            "continued: {share: 10 %}",
            "continued processing is refused on this system: Error Domain=BGTaskSchedulerErrorDomain Code=1 "
                + "(unavailable)",
            "use iOS 26 or later, for instance device.os: ios-26"
        ),
        (
            "declares: {registers_late: true}",
            "the app ends at each launch: 'All launch handlers must be registered before application finishes "
                + "launching'",
            "register in didFinishLaunching"
        ),
        (
            "modes: {bluetooth_per_day: 4}, declares: {bluetooth: false}", "no accessory launches the app",
            "add \"bluetooth-central\" to UIBackgroundModes"
        ),
    ])
    func `an app whose declarations cannot work is told so in the system's words`(
        app: String, message: String, hint: String
    ) throws {
        let found = try warnings(app)
        #expect(found.contains { $0.message == message && $0.hint == hint }, "\(found)")
    }

    @Test func `a job that the user starts needs Android 14`() throws {
        for (system, isTold) in [("android-13", true), ("android-14", false), ("ios-26", false)] {
            for type in ["user-job", "data-sync"] {
                let found = try warnings("continued: {share: 10 %, type: \(type)}", overrides: ["device.os=\(system)"])
                let told = found.contains { $0.message == "this system has no jobs that the user starts" }
                #expect(told == (isTold && type == "user-job"), "\(system) \(type)")
            }
        }
    }

    @Test func `the graphics processor needs a device that has it and the entitlement`() throws {
        let domain = "Error Domain=BGTaskSchedulerErrorDomain Code="
        let missing = "this device does not support background work on the graphics processor: \(domain)1 (unavailable)"
        let refused = "every task that requests the graphics processor is refused: \(domain)3 (notPermitted)"
        for (system, has, mayUse, message) in [
            ("ios-26", false, true, missing as String?), ("ios-26", true, true, nil), ("ios-26", true, false, refused),
            ("ios-26", false, false, refused), ("android-15", false, false, nil),
        ] {
            let found = try warnings(
                "continued: {share: 10 %, gpu: true}, declares: {background_gpu: \(mayUse)}",
                overrides: ["device.os=\(system)", "device.background.continued.gpu=\(has)"])
            let told = found.map(\.message).filter { $0.contains("graphics processor") }
            #expect(told == (message.map { [$0] } ?? []), "\(system) \(has) \(mayUse)")
        }
    }

    @Test func `an app that declares what it does is not warned of`() throws {
        let found = try warnings("refresh: {every: 1 h}, processing: {per_day: 1}, modes: {bluetooth_per_day: 4}")
        #expect(!found.contains { $0.message.contains("refused") || $0.hint.contains("UIBackgroundModes") }, "\(found)")
    }

    /// Warnings of an experiment whose apps are a catalogue.
    private func warnings(ofCatalogue apps: String) throws -> [(message: String, hint: String)] {
        let text = sample.replacing("apps: {catalog: everyday, count: 20}", with: apps)
        #expect(text != sample)
        let source = SourceText(name: "a.yaml", text: text)
        return try loadExperiment(source, library: library).warnings.list
            .map { ($0.message, $0.hint ?? "") }
    }

    @Test func `apps of a catalogue are warned of by name, where the experiment says something of them`() throws {
        let found = try warnings(
            ofCatalogue: """
                apps:
                  catalog: everyday
                  count: 20
                  apps:
                    pigeon: {refresh: {every: 1 h}, declares: {fetch: false}}
                    album: {processing: {per_day: 2}, declares: {processing: false}}
                    tunes: {use: {activity: music}, declares: {audio: false}}
                    skycast: {modes: {bluetooth_per_day: 4}}
                """)
        let domain = "Error Domain=BGTaskSchedulerErrorDomain Code=3 (notPermitted)"
        #expect(found.contains { $0.message == "pigeon: every refresh request is refused: \(domain)" })
        #expect(found.contains { $0.message == "album: every processing request is refused: \(domain)" })
        #expect(found.contains { $0.message == "tunes: the app's music ends when the user leaves the app" })
        #expect(!found.contains { $0.message.hasPrefix("skycast") })
    }

    @Test func `five apps of a catalogue, each with a mistake of its own, are told so in the system's words`() throws {
        let found = try warnings(
            ofCatalogue: """
                apps:
                  catalog: everyday
                  count: 20
                  apps:
                    pigeon: {pushes: {silent_per_day: 9}, declares: {remote_notification: false}}
                    album: {processing: {per_day: 20}, declares: {processing_identifiers: 12}}
                    tunes: {refresh: {every: 1 h}, declares: {refresh_identifier: false}}
                    skycast: {declares: {registers_late: true}}
                    jotter: {continued: {share: 10 %}}
                """)
        let domain = "Error Domain=BGTaskSchedulerErrorDomain Code="
        #expect(!found.contains { $0.message.contains("were not checked") })
        let names = ["pigeon", "album", "tunes", "skycast", "jotter"]
        let told = found.filter { warning in names.contains { warning.message.hasPrefix($0 + ": ") } }
        #expect(
            Set(told.map(\.message)) == [
                "pigeon: no silent push launches the app: 'You've implemented -[<UIApplicationDelegate> "
                    + "application:didReceiveRemoteNotification:fetchCompletionHandler:], but you still need to add "
                    + "\"remote-notification\" to the list of your supported UIBackgroundModes in your Info.plist.'",
                "album: pending requests beyond 10 are refused: \(domain)2 (tooManyPendingTaskRequests)",
                "tunes: every refresh request is refused: \(domain)3 (notPermitted)",
                "skycast: the app ends at each launch: 'All launch handlers must be registered before application "
                    + "finishes launching'",
                "jotter: continued processing is refused on this system: \(domain)1 (unavailable)",
            ], "\(found)")
        #expect(
            Set(told.map(\.hint)).isSuperset(of: [
                "add \"remote-notification\" to UIBackgroundModes",
                "add the task's identifier to BGTaskSchedulerPermittedIdentifiers",
            ]))
    }

    @Test func `five of many apps whose declarations cannot work are named`() throws {
        let found = try warnings(
            ofCatalogue: "apps: {catalog: everyday, count: 20, "
                + "defaults: {refresh: {every: 1 h}, declares: {fetch: false}}}")
        #expect(found.count { $0.message.contains("every refresh request is refused") } == 5)
        #expect(
            found.contains {
                $0.message
                    == "5 apps of the catalogue have declarations that cannot work; further apps were not checked"
            })
    }
}
