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
/// warnings can make it, and nobody dies of a limit, the reaper or a fault. Only an app that the user swiped away, and
/// one that was never there before, must be launched.
package struct EvictionBound: Sendable {
    fileprivate struct Open {
        /// Memory that is left to other apps beside the one in front and the daemons of the moment.
        var room: Int64
        /// The stay that ends with it began before this open, with this much memory; none for one that must be launched.
        var since: Int?
        var away: Int64
        var isCounted: Bool
        /// Seconds that a resume takes at least, and by how many a launch takes longer at least.
        var resume: Double
        var gain: Double
    }

    private var opens: [Open] = []
    /// The number of opens when the present stay of each app began; none while its process cannot be there.
    private var since: [Int?]
    /// What the app needs meanwhile.
    private var away: [Int64]

    init(apps: Int) {
        since = Array(repeating: nil, count: apps)
        away = Array(repeating: 0, count: apps)
    }

    /// The user swipes an app away, whether it is there or not.
    package mutating func forceQuit(_ app: AppID) { since[Int(app.index)] = nil }

    /// An app works in the background.
    mutating func work(_ app: AppID, least size: Int64) {
        let index = Int(app.index)
        away[index] = since[index] == nil ? size : min(away[index], size)
        since[index] = opens.count
    }

    fileprivate mutating func open(_ app: AppID, _ open: Open, away size: Int64) {
        let index = Int(app.index)
        var open = open
        (open.since, open.away) = (since[index], away[index])
        opens.append(open)
        (since[index], away[index]) = (opens.count, size)
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
        let model = apps[Int(app.index)]
        let compressed = device.memory.suspendedCompressedShare
        // Of an app that comes to the front, what was compressed may stay so in part.
        let front = 1 - compressed * (1 - device.memory.foregroundDecompressedShare) * (1 - 1 / ratio(of: model))
        let resume = model.resumeTime.seconds * slowness
        let built = device.prewarm.choice == .never ? 0 : model.warmLaunchTime.seconds * device.prewarm.mainShare
        let launch = (model.launchTime(missing: 0).seconds - built) * slowness
        let trimmed = model.backgroundFootprint / max(model.foregroundFootprint, ByteCount(1))
        let stored = processes.swapUsed * (1 / leastRatio)
        let room = processes.mostForApps(beside: apps.count) + stored - footprint * front
        bound.open(
            app,
            EvictionBound.Open(
                room: room.bytes, since: nil, away: 0, isCounted: now >= warmupEnd, resume: resume,
                gain: max(0, launch - resume)), away: leastMemory(of: model, footprint * min(1, trimmed)))
    }

    /// An app works in the background, whether it was there or not.
    mutating func recordWork(_ app: AppID) {
        let model = apps[Int(app.index)]
        bound.work(app, least: leastMemory(of: model, model.backgroundFootprint))
    }

    /// The least memory that a suspended app can be brought to.
    ///
    /// On its way to the background it hears of both levels of pressure at most, and of all of Android's where the
    /// system sends those. The freezer compresses all of it.
    private func leastMemory(of app: AppModel, _ footprint: ByteCount) -> Int64 {
        let left = max(0, 1 - app.warningDrop)
        let kept = left * left * (device.os.sendsTrimLevels ? left * left * left * left : 1)
        let share = device.os.freezer == nil ? device.memory.suspendedCompressedShare : 1
        return (footprint * (kept * (1 - share * (1 - 1 / ratio(of: app))))).bytes
    }

    /// By how much the memory of the app that compresses worst is compressed.
    private var leastRatio: Double { apps.indices.reduce(.infinity) { min($0, ratio(of: apps[$1])) } }

    private func ratio(of app: AppModel) -> Double {
        max(1, app.compressorRatio ?? device.memory.compressorRatio * app.compressibility)
    }
}
