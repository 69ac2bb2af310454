// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Structures
import Vocabulary

/// The fewest relaunches that any order of eviction could have with the opens of a run.
///
/// A stay is the time from one open of an app, or from its last work in the background, to its next open. An order of
/// eviction chooses which stays end in a resume. At each open during such a stay, the memory of the stay's app must fit
/// together with the foreground app (`SpanPacking`). Opens, background work, the memory of daemons and the amount of
/// memory on storage come from the run.
///
/// All other rules of a phone are relaxed, so that the bound stays valid. An app is as small as compression and
/// warnings can make it. No app is killed by a limit, the reaper or a fault. A launch is necessary only if the user
/// swiped the app away or if it never ran before.
package struct EvictionBound: Sendable {
    /// Smallest memory of an app: on screen and away as shares of its foreground footprint, after background work in
    /// bytes.
    private struct Need {
        var front: Double
        var away: Double
        var work: Int64
        /// Median time of a resume, in seconds, and the least additional time of a launch.
        var resume: Double
        var gain: Double
    }

    private struct Open {
        /// Memory left for other apps, after the foreground app and the daemons at that time.
        var room: Int64
        /// Number of the open at which the stay before this open began, and the stay's memory.
        ///
        /// The number is nil if the app must be launched.
        var since: Int?
        var away: Int64
        /// Whether the open is after the warm-up.
        var isCounted = true
        var resume: Double
        var gain: Double
    }

    private let needs: [Need]
    /// Compression ratio of the app that compresses worst.
    private let leastRatio: Double
    private var opens: [Open] = []
    /// For each app, the number of the open at which its present stay began, and the stay's memory.
    ///
    /// The number is negative while the app cannot have a process.
    private var stays: [(since: Int, away: Int64)]

    /// The flag `prewarms` states whether the phone ever prewarms apps.
    init(_ apps: [AppModel], _ device: DeviceModel, prewarms: Bool) {
        let memory = device.memory
        func ratio(_ app: AppModel) -> Double {
            max(1, app.compressorRatio ?? memory.compressorRatio * app.compressibility)
        }
        needs = apps.map { app in
            let saved = 1 - 1 / ratio(app)
            // Until it is in the background, an app gets warnings of at most two pressure levels, and of all trim
            // levels of Android if the system sends them. The freezer compresses all of its memory.
            let left = max(0, 1 - app.warningDrop)
            let kept = left * left * (device.os.sendsTrimLevels ? left * left * left * left : 1)
            let share = kept * (1 - saved * (device.os.freezer == nil ? memory.suspendedCompressedShare : 1))
            let trimmed = app.backgroundFootprint / max(app.foregroundFootprint, ByteCount(1))
            let built = !prewarms ? 0 : app.warmLaunchTime.seconds * device.prewarm.mainShare
            // Part of the compressed memory of an app that comes to the front may stay compressed.
            let compressed = memory.suspendedCompressedShare * (1 - memory.foregroundDecompressedShare)
            return Need(
                front: 1 - compressed * saved, away: share * min(1, trimmed),
                work: (app.backgroundFootprint * share).bytes, resume: app.resumeTime.seconds,
                gain: max(0, (app.launchTime(missing: 0) - app.resumeTime).seconds - built))
        }
        leastRatio = apps.reduce(.infinity) { min($0, ratio($1)) }
        stays = Array(repeating: (-1, 0), count: apps.count)
    }

    /// Records that the user swipes an app away, whether or not the app has a process.
    package mutating func forceQuit(_ app: AppID) { stays[Int(app.index)].since = -1 }

    /// Records background work of an app, whether or not the app had a process.
    mutating func work(_ app: AppID) {
        let index = Int(app.index)
        let (since, away) = stays[index]
        stays[index] = (opens.count, since < 0 ? needs[index].work : min(away, needs[index].work))
    }

    /// Records that the user opens an app with this footprint; `slowness` multiplies all times of the app.
    ///
    /// - Parameter room: The memory that all apps together can have, and the part of it on storage.
    mutating func open(
        _ app: AppID, footprint: ByteCount, slowness: Double, room: (memory: ByteCount, storage: ByteCount)
    ) {
        let index = Int(app.index)
        let (since, away) = stays[index]
        let left = room.memory + room.storage * (1 / leastRatio) - footprint * needs[index].front
        opens.append(
            Open(
                room: left.bytes, since: since < 0 ? nil : since, away: away,
                resume: needs[index].resume * slowness, gain: needs[index].gain * slowness))
        stays[index] = (opens.count, (footprint * needs[index].away).bytes)
    }

    /// Ends the warm-up: the opens so far do not count.
    mutating func endWarmup() {
        for index in opens.indices { opens[index].isCounted = false }
    }

    /// The fewest relaunches since the warm-up, and the least time for which the user waits for apps.
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
    /// Records an open of an app with this footprint in the foreground; `slowness` multiplies all usual times of the
    /// app.
    package mutating func recordOpen(_ app: AppID, footprint: ByteCount, slowness: Double) {
        bound.open(
            app, footprint: footprint, slowness: slowness,
            room: (processes.mostForApps(beside: apps.count), processes.swapUsed))
    }
}
