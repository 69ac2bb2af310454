// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

/// The exact validation targets of the request table, each under its number; whatever the policy, here one that always
/// says yes.
@Suite struct ExactTargetTests {
    let now = SimTime.zero + .hours(10)

    @Test func `V10: no refresh with Low Power Mode on, after a force quit, or with the switch off`() {
        var table = makeTable()
        _ = table.submitRefresh(0, at: now)
        var saving = DeviceConditions()
        saving.lowPowerMode = true
        for minute in 0..<1440 {
            #expect(table.ask(0, .refresh, saving, at: now + .minutes(Double(minute) / 2)).action != .start)
        }
        table.forceQuit(AppID(0), at: now)
        for minute in 0..<1440 {
            #expect(table.submitRefresh(0, at: now + .minutes(Double(minute))).action == .refused)
            #expect(table.ask(0, at: now + .minutes(Double(minute))).action == .nothing)
        }
        table.noteOpened(AppID(0), at: now)
        _ = table.submitRefresh(0, at: now)
        #expect(table.ask(0, at: now).action == .start)
        var off = BackgroundParameters()
        off.refreshSwitch = false
        var phone = makeTable(parameters: off)
        #expect(phone.submitRefresh(0, at: now).reason == .system(.switchedOff))
        #expect(phone.ask(0, at: now).action == .nothing)
        var app = makeTable { $0.refreshEnabled = false }
        #expect(app.submitRefresh(0, at: now).reason == .system(.switchedOff))
        #expect(RequestReason.system(.switchedOff).error == .unavailable)
    }

    @Test func `V11: nothing before the first unlock after a boot`() {
        var table = makeTable(policy: Scripted.always)
        for app in 0..<4 { _ = table.submitRefresh(app, at: now) }
        for app in 0..<4 { _ = table.answerAfterBoot(AppID(app), .refresh, at: now) }
        for minute in 0..<600 {
            for app in 0..<4 {
                #expect(table.ask(app, at: now + .minutes(Double(minute))).reason == .system(.firstUnlock))
            }
        }
        #expect(table.popAll(.unlocked).count == 4)
        for app in 0..<4 { #expect(table.ask(app, at: now + .hours(11)).action == .start) }
    }

    @Test func `V14: no processing starts while the phone is in use`() {
        var table = makeTable()
        _ = table.submitProcessing(0, at: now)
        var used = DeviceConditions()
        used.screenOn = true
        used.locked = false
        used.pluggedIn = true
        for minute in 0..<1440 {
            #expect(table.ask(0, .processing, used, at: now + .minutes(Double(minute))).reason == .system(.deviceInUse))
        }
    }

    @Test func `V18: processing of an app unused for seven days does not run`() {
        var table = makeTable(policy: Opportunistic())
        table.noteOpened(AppID(0), at: .zero)
        var night = DeviceConditions()
        night.pluggedIn = true
        night.network = .wifi
        let late = SimTime.zero + .days(7) + .minutes(1)
        _ = table.submitProcessing(0, at: late)
        for minute in 0..<2800 {
            night.lockedSince = late - .hours(2)
            #expect(table.ask(0, .processing, night, at: late + .minutes(Double(minute))).action != .start)
        }
        table.noteOpened(AppID(0), at: late + .days(2))
        _ = table.submitProcessing(0, at: late + .days(2))
        #expect(table.ask(0, .processing, night, at: late + .days(2)).action == .start)
    }

    @Test func `the error codes are Apple's, and each refusal has one or is none of the interface's`() {
        #expect(RequestReason.system(.switchedOff).error?.code == 1)
        #expect(RequestReason.tooManyPending.error?.code == 2)
        #expect(RequestReason.notPermitted.error?.code == 3)
        #expect(RequestReason.system(.forceQuit).error == nil)
    }

    @Test func `health research needs its entitlement, counts as processing and waits for what its files need`() {
        var table = makeTable()
        var options = RequestOptions()
        options.isHealthResearch = true
        func submit(_ identifier: UInt8, _ options: RequestOptions) -> RequestAnswer {
            table.submit(
                AppID(0), .processing, identifier: identifier, earliestBegin: now, requiresPower: false,
                requiresNetwork: false, options: options, at: now)
        }
        #expect(submit(0, options).reason == .notPermitted)
        table = makeTable { $0.healthResearch = true }
        #expect(submit(0, options).action == .wait)
        for identifier in 1..<10 { #expect(submit(UInt8(identifier), RequestOptions()).action == .wait) }
        #expect(submit(10, options).reason == .tooManyPending)
        #expect(table.ask(0, .processing, at: now).action == .start)
        // Files of complete protection are out of reach while the phone is locked.
        table = makeTable { $0.healthResearch = true }
        options.needsUnlockedFiles = true
        #expect(submit(0, options).action == .wait)
        #expect(table.ask(0, .processing, at: now).reason == .system(.protectedFiles))
        #expect(table.waitsFor(AppID(0), .processing) == .unlocked)
        var unlocked = DeviceConditions()
        unlocked.locked = false
        #expect(table.ask(0, .processing, unlocked, at: now).action == .start)
    }

    @Test func `explaining a request changes nothing and names what decides`() {
        var table = makeTable(policy: Opportunistic())
        _ = table.submitRefresh(0, network: true, at: now)
        var device = DeviceConditions()
        device.lowPowerMode = true
        device.now = now
        let before = table.counts
        let said = table.explain(AppID(0), .refresh, device: device, openLikelihood: 0.5, at: now)
        #expect(table.counts == before && table.isPending(AppID(0), .refresh))
        let vetoes = said?.responses.filter { $0.answer != .canProceed }.map(\.name) ?? []
        #expect(vetoes.prefix(2) == ["Low Power Mode Policy", "Network Quality Policy"])
        #expect(said?.joint.answer == .mustNotProceed)
        #expect(table.ask(0, .refresh, device, at: now).reason == .system(.lowPowerMode))
        #expect(table.explain(AppID(1), .refresh, device: device, openLikelihood: 0.5, at: now) == nil)
    }
}
