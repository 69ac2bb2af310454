// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Structures
import Vocabulary

/// The fewest relaunches that any order of eviction could have had with the opens of a run.
///
/// A stay is the time from one open of an app, or from its last work in the background, to the next open. An order of
/// eviction chooses which stays end in a resume. At each open during such a stay, its memory has to fit together with
/// the app in front (`SpanPacking`). Opens, background work, the memory of daemons and the amount of memory on storage
/// come from the run.
///
/// All other rules of a phone are relaxed so that the bound stays valid. An app is as small as compression and warnings
/// can make it. No app dies of a limit, the reaper or a fault. Only an app that the user swiped away, or that never ran
/// before, must be launched.
package struct EvictionBound: Sendable {
    /// Smallest memory of an app, as shares of its footprint in front, or in bytes if the app only worked.
    private struct Need {
        var front: Double
        var away: Double
        var work: Int64
        /// Median time of a resume in seconds, and the least additional time of a launch.
        var resume: Double
        var gain: Double
    }

    private struct Open {
        /// Memory left to other apps, without the app in front and the daemons at that time.
        var room: Int64
        /// Number of the open at which the stay before this open began, and its memory; nil if the app must be
        /// launched.
        var since: Int?
        var away: Int64
        var isCounted: Bool
        var resume: Double
        var gain: Double
    }

    private let needs: [Need]
    /// Compression ratio of the app that compresses worst.
    private let leastRatio: Double
    private var opens: [Open] = []
    /// Number of the open at which the present stay of each app began, and its memory.
    ///
    /// The number is below zero while the app cannot have a process.
    private var stays: [(since: Int, away: Int64)]

    /// `prewarms` is whether the phone ever prewarms.
    init(_ apps: [AppModel], _ device: DeviceModel, prewarms: Bool) {
        let memory = device.memory
        func ratio(_ app: AppModel) -> Double {
            max(1, app.compressorRatio ?? memory.compressorRatio * app.compressibility)
        }
        needs = apps.map { app in
            let saved = 1 - 1 / ratio(app)
            // On its way to the background it hears of both levels of pressure at most, and of all of Android's where
            // the system sends those. The freezer compresses all of it.
            let left = max(0, 1 - app.warningDrop)
            let kept = left * left * (device.os.sendsTrimLevels ? left * left * left * left : 1)
            let share = kept * (1 - saved * (device.os.freezer == nil ? memory.suspendedCompressedShare : 1))
            let trimmed = app.backgroundFootprint / max(app.foregroundFootprint, ByteCount(1))
            let built = !prewarms ? 0 : app.warmLaunchTime.seconds * device.prewarm.mainShare
            // Of an app that comes to the front, what was compressed may stay so in part.
            let compressed = memory.suspendedCompressedShare * (1 - memory.foregroundDecompressedShare)
            return Need(
                front: 1 - compressed * saved, away: share * min(1, trimmed),
                work: (app.backgroundFootprint * share).bytes, resume: app.resumeTime.seconds,
                gain: max(0, (app.launchTime(missing: 0) - app.resumeTime).seconds - built))
        }
        leastRatio = apps.reduce(.infinity) { min($0, ratio($1)) }
        stays = Array(repeating: (-1, 0), count: apps.count)
    }

    /// Records that the user swipes an app away, with or without a process.
    package mutating func forceQuit(_ app: AppID) { stays[Int(app.index)].since = -1 }

    /// Records background work of an app, with or without a process.
    mutating func work(_ app: AppID) {
        let index = Int(app.index)
        let (since, away) = stays[index]
        stays[index] = (opens.count, since < 0 ? needs[index].work : min(away, needs[index].work))
    }

    /// Records that the user opens an app with this footprint, with this factor on all of its times.
    ///
    /// - Parameter room: The memory that all apps can have, and the part of it on storage.
    mutating func open(
        _ app: AppID, footprint: ByteCount, slowness: Double, room: (memory: ByteCount, storage: ByteCount),
        isCounted: Bool
    ) {
        let index = Int(app.index)
        let (since, away) = stays[index]
        let left = room.memory + room.storage * (1 / leastRatio) - footprint * needs[index].front
        opens.append(
            Open(
                room: left.bytes, since: since < 0 ? nil : since, away: away, isCounted: isCounted,
                resume: needs[index].resume * slowness, gain: needs[index].gain * slowness))
        stays[index] = (opens.count, (footprint * needs[index].away).bytes)
    }

    /// The fewest relaunches since the warm-up, and the least time that the user waits for apps.
    package var least: (relaunches: Double, wait: Double) {
        var packing = SpanPacking(capacities: opens.map(\.room))
        var times = packing
        var (count, longest) = (0.0, 0.0)
        for (index, open) in opens.enumerated() where open.isCounted {
            (count, longest) = (count + 1, longest + open.resume + open.gain)
            guard let since = open.since else { continue }
            packing.add(since..<index, size: open.away, value: 1)
            times.add(since..<index, size: open.away, value: open.gain)
        }
        return (max(0, count - packing.mostValue), max(0, longest - times.mostValue))
    }
}

extension PhoneCore {
    /// Records an open of an app with this footprint in front, with this factor on all of its usual times.
    package mutating func recordOpen(_ app: AppID, footprint: ByteCount, slowness: Double) {
        bound.open(
            app, footprint: footprint, slowness: slowness,
            room: (processes.mostForApps(beside: apps.count), processes.swapUsed), isCounted: now >= warmupEnd)
    }
}
