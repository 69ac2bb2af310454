// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

/// A line of JSON that is built piece by piece.
///
/// Times and durations are whole nanoseconds; `null` is a time that never comes. Energies are in joules, sizes in
/// bytes. Names are those of `flotsam_policy.h`. States and networks are words.
struct JSONLine {
    private(set) var bytes: [UInt8] = []
    /// Whether the next value follows an opening bracket or a key, so that it needs no comma.
    private var isOpen = true

    var isEmpty: Bool { bytes.isEmpty }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isOpen = true
    }

    mutating func begin(_ bracket: StaticString) {
        separate()
        append(bracket)
        isOpen = true
    }

    mutating func end(_ bracket: StaticString) {
        append(bracket)
        isOpen = false
    }

    mutating func endLine() {
        bytes.append(10)
        isOpen = true
    }

    mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        append("\":")
        isOpen = true
    }

    mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    mutating func field(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        raw(String(value))
    }

    mutating func field(_ name: StaticString, _ value: Double) {
        key(name)
        raw(Self.number(value))
    }

    /// Text of a number; `null` if the number is not finite.
    static func number(_ value: Double) -> String { value.isFinite ? value.description : "null" }

    mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        raw(value ? "true" : "false")
    }

    mutating func field(_ name: StaticString, _ text: String) {
        key(name)
        raw(JSONText.quoted(text))
    }

    mutating func field(_ name: StaticString, _ time: SimTime) {
        key(name)
        raw(time == .distantFuture ? "null" : String(time.nanoseconds))
    }

    mutating func field(_ name: StaticString, _ duration: SimDuration) { field(name, duration.nanoseconds) }

    /// Appends the members of another line without changes.
    mutating func splice(_ other: JSONLine) {
        separate()
        bytes += other.bytes
    }

    private mutating func separate() {
        if !isOpen { bytes.append(UInt8(ascii: ",")) }
        isOpen = false
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }
}

extension JSONLine {
    /// Adds a candidate for eviction.
    mutating func view(_ candidate: EvictionCandidate) {
        begin("{")
        field("app", candidate.app.index)
        field("band", candidate.band)
        field("state", Self.words(candidate.state))
        field("footprint", candidate.footprint.bytes)
        field("resident", candidate.resident.bytes)
        field("band_set", candidate.bandSet)
        field("launched", candidate.launched)
        field("last_foreground", candidate.lastForeground)
        field("opens", candidate.opens)
        field("relaunch_time", candidate.relaunchTime)
        field("relaunch_energy", candidate.relaunchEnergy.joules)
        field("next_open", candidate.nextOpen)
        field("is_system", candidate.isSystem)
        end("}")
    }

    /// Adds a pending request.
    mutating func view(_ request: RequestView) {
        begin("{")
        field("app", request.app.index)
        field("kind", request.kind == .refresh ? "refresh" : "processing")
        field("submitted", request.submitted)
        field("earliest_begin", request.earliestBegin)
        field("deadline", request.deadline)
        field("requires_power", request.requiresPower)
        field("requires_network", request.requiresNetwork)
        field("last_opened", request.lastOpened)
        field("last_run", request.lastRun)
        field("open_likelihood", request.openLikelihood)
        field("expected_bytes", request.expectedBytes.bytes)
        field("expected_duration", request.expectedDuration)
        field("screen_time_since_opened", request.screenTimeSinceOpened)
        field("screen_cycles_since_opened", request.screenCyclesSinceOpened)
        field("next_open", request.nextOpen)
        end("}")
    }

    /// Adds the device.
    mutating func view(_ device: DeviceConditions) {
        begin("{")
        field("now", device.now)
        field("battery_level", device.batteryLevel)
        field("plugged_in", device.pluggedIn)
        field("network", device.network.name)
        field("radio_is_up", device.radioIsUp)
        field("screen_on", device.screenOn)
        field("locked", device.locked)
        field("locked_since", device.lockedSince)
        field("unplugged_since", device.unpluggedSince)
        field("low_power_mode", device.lowPowerMode)
        field("thermal_level", device.thermalLevel)
        field("processor_busy", device.processorBusy)
        field("pressure", device.pressure.rawValue)
        field("camera_on", device.cameraOn)
        field("running_launches", device.runningLaunches)
        field("herd_until", device.herdUntil)
        field("energy_budget_left", device.energyBudgetLeft)
        field("cellular_budget_left", device.cellularBudgetLeft)
        end("}")
    }

    /// Adds the memory.
    mutating func view(_ memory: MemoryView) {
        begin("{")
        field("total", memory.total.bytes)
        field("free", memory.free.bytes)
        field("file_backed", memory.fileBacked.bytes)
        field("compressed", memory.compressed.bytes)
        field("compressor_limit", memory.compressorLimit.bytes)
        field("refaulted", memory.refaulted.bytes)
        end("}")
    }

    private static func words(_ state: ProcessState) -> String {
        switch state {
        case .notRunning: "not-running"
        case .inactive: "inactive"
        case .active: "active"
        case .background: "background"
        case .suspended: "suspended"
        case .prewarmed: "prewarmed"
        }
    }
}
