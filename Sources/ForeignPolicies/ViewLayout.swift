// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Vocabulary

/// Checks whether the views of `flotsam_policy.h` have the memory layout of the views in `Vocabulary`, field by field.
///
/// A library receives the program's own views, which are not copied. Swift stores the properties of a structure of
/// plain values in their order, as C does. Swift does not guarantee this, so the layout is checked before the first
/// library is loaded.
enum ViewLayout {
    /// Description of the first difference; nil if there is none.
    static let difference: String? =
        candidate.first { !$0.isSame }?.text ?? memory.first { !$0.isSame }?.text
        ?? request.first { !$0.isSame }?.text ?? device.first { !$0.isSame }?.text
        ?? sizes.first { !$0.isSame }?.text

    /// Position of a field of a view in Swift and in C.
    struct Field {
        let name: String
        let swift: Int?
        let c: Int?

        init<View, CView>(_ name: String, _ swift: PartialKeyPath<View>, _ c: PartialKeyPath<CView>) {
            self.name = name
            self.swift = MemoryLayout<View>.offset(of: swift)
            self.c = MemoryLayout<CView>.offset(of: c)
        }

        init<View, CView>(size name: String, _ swift: View.Type, _ c: CView.Type) {
            self.name = name
            self.swift = MemoryLayout<View>.stride
            self.c = MemoryLayout<CView>.stride
        }

        var isSame: Bool { swift != nil && swift == c }
        var text: String { "\(name) is at byte \(swift ?? -1) instead of \(c ?? -1)" }
    }

    static let sizes = [
        Field(size: "candidate", EvictionCandidate.self, flotsam_candidate.self),
        Field(size: "memory", MemoryView.self, flotsam_memory.self),
        Field(size: "request", RequestView.self, flotsam_request.self),
        Field(size: "device", DeviceConditions.self, flotsam_device.self),
    ]

    static let candidate = [
        Field("app", \EvictionCandidate.app, \flotsam_candidate.app),
        Field("band", \EvictionCandidate.band, \flotsam_candidate.band),
        Field("state", \EvictionCandidate.state, \flotsam_candidate.state),
        Field("footprint", \EvictionCandidate.footprint, \flotsam_candidate.footprint),
        Field("resident", \EvictionCandidate.resident, \flotsam_candidate.resident),
        Field("band_set", \EvictionCandidate.bandSet, \flotsam_candidate.band_set),
        Field("launched", \EvictionCandidate.launched, \flotsam_candidate.launched),
        Field("last_foreground", \EvictionCandidate.lastForeground, \flotsam_candidate.last_foreground),
        Field("opens", \EvictionCandidate.opens, \flotsam_candidate.opens),
        Field("relaunch_time", \EvictionCandidate.relaunchTime, \flotsam_candidate.relaunch_time),
        Field("relaunch_energy", \EvictionCandidate.relaunchEnergy, \flotsam_candidate.relaunch_energy),
        Field("next_open", \EvictionCandidate.nextOpen, \flotsam_candidate.next_open),
        Field("is_system", \EvictionCandidate.isSystem, \flotsam_candidate.is_system),
    ]

    static let memory = [
        Field("total", \MemoryView.total, \flotsam_memory.total),
        Field("free", \MemoryView.free, \flotsam_memory.free),
        Field("file_backed", \MemoryView.fileBacked, \flotsam_memory.file_backed),
        Field("compressed", \MemoryView.compressed, \flotsam_memory.compressed),
        Field("compressor_limit", \MemoryView.compressorLimit, \flotsam_memory.compressor_limit),
        Field("refaulted", \MemoryView.refaulted, \flotsam_memory.refaulted),
    ]

    static let request = [
        Field("app", \RequestView.app, \flotsam_request.app),
        Field("kind", \RequestView.kind, \flotsam_request.kind),
        Field("submitted", \RequestView.submitted, \flotsam_request.submitted),
        Field("earliest_begin", \RequestView.earliestBegin, \flotsam_request.earliest_begin),
        Field("deadline", \RequestView.deadline, \flotsam_request.deadline),
        Field("requires_power", \RequestView.requiresPower, \flotsam_request.requires_power),
        Field("requires_network", \RequestView.requiresNetwork, \flotsam_request.requires_network),
        Field("last_opened", \RequestView.lastOpened, \flotsam_request.last_opened),
        Field("last_run", \RequestView.lastRun, \flotsam_request.last_run),
        Field("open_likelihood", \RequestView.openLikelihood, \flotsam_request.open_likelihood),
        Field("expected_bytes", \RequestView.expectedBytes, \flotsam_request.expected_bytes),
        Field("expected_duration", \RequestView.expectedDuration, \flotsam_request.expected_duration),
        Field(
            "screen_time_since_opened", \RequestView.screenTimeSinceOpened,
            \flotsam_request.screen_time_since_opened),
        Field(
            "screen_cycles_since_opened", \RequestView.screenCyclesSinceOpened,
            \flotsam_request.screen_cycles_since_opened),
        Field("hardware", \RequestView.hardware, \flotsam_request.hardware),
        Field("is_exact", \RequestView.isExact, \flotsam_request.is_exact),
        Field("is_expedited", \RequestView.isExpedited, \flotsam_request.is_expedited),
        Field("is_unrestricted", \RequestView.isUnrestricted, \flotsam_request.is_unrestricted),
        Field("next_open", \RequestView.nextOpen, \flotsam_request.next_open),
    ]

    static let device = [
        Field("now", \DeviceConditions.now, \flotsam_device.now),
        Field("battery_level", \DeviceConditions.batteryLevel, \flotsam_device.battery_level),
        Field("plugged_in", \DeviceConditions.pluggedIn, \flotsam_device.plugged_in),
        Field("network", \DeviceConditions.network, \flotsam_device.network),
        Field("radio_is_up", \DeviceConditions.radioIsUp, \flotsam_device.radio_is_up),
        Field("screen_on", \DeviceConditions.screenOn, \flotsam_device.screen_on),
        Field("locked", \DeviceConditions.locked, \flotsam_device.locked),
        Field("locked_since", \DeviceConditions.lockedSince, \flotsam_device.locked_since),
        Field("unplugged_since", \DeviceConditions.unpluggedSince, \flotsam_device.unplugged_since),
        Field("low_power_mode", \DeviceConditions.lowPowerMode, \flotsam_device.low_power_mode),
        Field("thermal_level", \DeviceConditions.thermalLevel, \flotsam_device.thermal_level),
        Field("processor_busy", \DeviceConditions.processorBusy, \flotsam_device.processor_busy),
        Field("pressure", \DeviceConditions.pressure, \flotsam_device.pressure),
        Field("camera_on", \DeviceConditions.cameraOn, \flotsam_device.camera_on),
        Field("running_launches", \DeviceConditions.runningLaunches, \flotsam_device.running_launches),
        Field("herd_until", \DeviceConditions.herdUntil, \flotsam_device.herd_until),
        Field("energy_budget_left", \DeviceConditions.energyBudgetLeft, \flotsam_device.energy_budget_left),
        Field("cellular_budget_left", \DeviceConditions.cellularBudgetLeft, \flotsam_device.cellular_budget_left),
    ]
}
