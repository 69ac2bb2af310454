// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Structures
import Vocabulary

/// The opens of a run, and what follows from them: the fewest relaunches that any order of eviction could have had.
///
/// A stay is the time from one open of an app, or from its last work in the background, to the next open. An order of
/// eviction chooses which stays end in a resume; their memory has to fit beside the app in front at each open between
/// (`SpanPacking`). Opens, background work, the memory of daemons and the amount of memory on storage are those of the
/// run. Everything else that a phone adds is relaxed so that the bound stays one: an app is as small as compression and
/// warnings can make it, and no app dies of a limit, the reaper or a fault. Only an app that the user swiped away, and
/// one that was never there before, must be launched.
package struct EvictionBound: Sendable {
    /// What an app needs at least, as shares of its footprint in front, and in bytes for one that only worked.
    private struct Need {
        var front: Double
        var away: Double
        var work: Int64
        /// Seconds that a resume takes in the median, and by how many a launch takes longer at least.
        var resume: Double
        var gain: Double
    }

    private struct Open {
        /// Memory that is left to other apps beside the one in front and the daemons of the moment.
        var room: Int64
        /// The stay that ends with it began before this open, with this much memory; none where it must be launched.
        var since: Int?
        var away: Int64
        var isCounted: Bool
        var resume: Double
        var gain: Double
    }

    private let needs: [Need]
    /// By how much the memory of the app that compresses worst is compressed.
    private let leastRatio: Double
    private var opens: [Open] = []
    /// The number of opens when the present stay of each app began, and the memory that it needs; below zero while its
    /// process cannot be there.
    private var stays: [(since: Int, away: Int64)]

    init(_ apps: [AppModel], _ device: DeviceModel) {
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
            let built = device.prewarm.choice == .never ? 0 : app.warmLaunchTime.seconds * device.prewarm.mainShare
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

    /// The user swipes an app away, whether it is there or not.
    package mutating func forceQuit(_ app: AppID) { stays[Int(app.index)].since = -1 }

    /// An app works in the background, whether it was there or not.
    mutating func work(_ app: AppID) {
        let index = Int(app.index)
        let (since, away) = stays[index]
        stays[index] = (opens.count, since < 0 ? needs[index].work : min(away, needs[index].work))
    }

    /// The user opens an app with this footprint; all of its times are so much longer than the median.
    ///
    /// - Parameter room: The memory that all apps can have, and how much of their memory is on storage.
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
    /// The user opens an app whose footprint in front is this, and all of whose times are so much longer than usual.
    package mutating func recordOpen(_ app: AppID, footprint: ByteCount, slowness: Double) {
        bound.open(
            app, footprint: footprint, slowness: slowness,
            room: (processes.mostForApps(beside: apps.count), processes.swapUsed), isCounted: now >= warmupEnd)
    }
}
