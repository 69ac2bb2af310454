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
            "add its identifier to BGTaskSchedulerPermittedIdentifiers"
        ),
        (
            "processing: {per_day: 20}, declares: {processing_identifiers: 12}",
            "requests beyond 10 that are pending are refused: Error Domain=BGTaskSchedulerErrorDomain Code=2 "
                + "(tooManyPendingTaskRequests)", "10 identifiers at most"
        ),
        (
            "continued: {share: 10 %}",
            "continued processing is refused on this system: Error Domain=BGTaskSchedulerErrorDomain Code=1 "
                + "(unavailable)",
            "it begins with iOS 26: device.os: ios-26"
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

    @Test func `an app that declares what it does is not warned of`() throws {
        let found = try warnings("refresh: {every: 1 h}, processing: {per_day: 1}, modes: {bluetooth_per_day: 4}")
        #expect(!found.contains { $0.message.contains("refused") || $0.hint.contains("UIBackgroundModes") }, "\(found)")
    }
}
