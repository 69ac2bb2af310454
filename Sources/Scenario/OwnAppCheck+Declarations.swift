// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import PhoneCore
import Processes
import Quantities
import Vocabulary

/// Warnings about missing declarations, with the error messages of the system.
///
/// Errors are from `BGTaskScheduler.Error.Code`. The two quoted sentences are from developers' logs (github
/// transistorsoft/flutter_background_fetch#415, Pushwoosh/pushwoosh-phonegap-plugin#78).
extension OwnAppCheck {
    private static let domain = "Error Domain=BGTaskSchedulerErrorDomain Code="

    /// Warns of activities that the app does not declare.
    func declarations(_ device: DeviceModel) {
        let declares = app.declares
        if app.refreshPeriod > .zero, !declares.mayRefresh {
            refused(
                declares.fetch ? "refresh_identifier" : "fetch", "refresh",
                declares.fetch ? Self.identifier : "add \"fetch\" to UIBackgroundModes")
        }
        let asks = app.processingPerDay > 0 || app.processingPeriod > .zero
        if asks, !declares.mayProcess {
            refused(
                declares.processing ? "processing_identifiers" : "processing", "processing",
                declares.processing ? Self.identifier : "add \"processing\" to UIBackgroundModes")
        }
        let most = device.background.pendingProcessingLimit
        if asks, declares.processingIdentifiers > most {
            remark(
                ["declares", "processing_identifiers"],
                "pending requests beyond \(most) are refused: \(Self.domain)2 (tooManyPendingTaskRequests)",
                hint: "declare at most \(most) identifiers")
        }
        if app.traits.continuedShare > 0, !device.os.hasContinuedProcessing {
            remark(
                ["continued"],
                "continued processing is refused on this system: \(Self.domain)1 (unavailable)",
                hint: "use iOS 26 or later, for instance device.os: ios-26")
        } else if app.traits.continuedShare > 0, app.traits.continuedType == .userJob, device.os.userJobTime <= .zero {
            remark(
                ["continued", "type"], "this system has no jobs that the user starts",
                hint: "use Android 14 or later, for instance device.os: android-14")
        }
        graphics(device)
        if declares.registersLate {
            remark(
                ["declares", "registers_late"],
                "the app ends at each launch: 'All launch handlers must be registered before application finishes "
                    + "launching'", hint: "register in didFinishLaunching")
        }
        modes(declares)
    }

    /// Checks background use of the graphics processor, which requires an entitlement and a device that supports it.
    private func graphics(_ device: DeviceModel) {
        let isAsked = app.traits.continuedShare > 0 && app.traits.continuedNeedsGPU
        guard isAsked, device.os.hasContinuedProcessing, device.os.family != .android else { return }
        if !app.declares.backgroundGPU {
            remark(
                ["declares", "background_gpu"],
                "every task that requests the graphics processor is refused: \(Self.domain)3 (notPermitted)",
                hint: "add the entitlement com.apple.developer.background-tasks.continued-processing.gpu")
        } else if !device.background.continued.hasGPU {
            remark(
                ["continued", "gpu"],
                "this device does not support background work on the graphics processor: \(Self.domain)1 (unavailable)",
                hint: "request .gpu only if supportedResources contains it; to simulate a device that supports it, set "
                    + "device.background.continued.gpu to true")
        }
    }

    private func modes(_ declares: AppDeclarations) {
        let traits = app.traits
        let missing: [(isDone: Bool, isDeclared: Bool, key: String, mode: String, what: String)] = [
            (
                traits.silentPushesPerDay > 0, declares.remoteNotification, "remote_notification",
                "remote-notification",
                "no silent push launches the app: 'You've implemented -[<UIApplicationDelegate> "
                    + "application:didReceiveRemoteNotification:fetchCompletionHandler:], but you still need to add "
                    + "\"remote-notification\" to the list of your supported UIBackgroundModes in your Info.plist.'"
            ),
            (
                traits.callsPerDay > 0, declares.voip, "voip", "voip",
                "no call arrives, because PushKit does not register the app for VoIP pushes"
            ),
            (
                traits.followsLocation, declares.location, "location", "location",
                "no movement of the phone launches the app"
            ),
            (
                app.activity == .music, declares.audio, "audio", "audio",
                "the app's music ends when the user leaves the app"
            ),
            (
                traits.bluetoothEventsPerDay > 0, declares.bluetooth, "bluetooth", "bluetooth-central",
                "no accessory launches the app"
            ),
        ]
        for one in missing where one.isDone && !one.isDeclared {
            remark(["declares", one.key], one.what, hint: "add \"\(one.mode)\" to UIBackgroundModes")
        }
    }

    private static let identifier = "add the task's identifier to BGTaskSchedulerPermittedIdentifiers"

    private func refused(_ key: String, _ what: String, _ hint: String) {
        remark(
            ["declares", key], "every \(what) request is refused: \(Self.domain)3 (notPermitted)", hint: hint)
    }
}
