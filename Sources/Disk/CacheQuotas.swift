// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Processes
import Quantities
import Structures
import Vocabulary

/// Storage quotas for the caches of each app under Android (`CacheQuotaServiceImpl`).
///
/// 15 % of the free space is divided among the apps that were on screen, by rank of their time on screen. Android
/// computes quotas every ten hours (`StorageStatsService`); here, they are computed at each purge by quota. The app
/// farthest above its quota is found without checking all apps, because free space keeps the order of apps that were on
/// screen.
package struct CacheQuotas: Sendable {
    /// Quota of an app that was never on screen.
    static let ofUnused = ByteCount.mebibytes(64)
    /// Share of the free space that is divided among apps.
    private static let share = 0.15
    /// Factor of the keys of `used`, which count sixteenths of a byte.
    private static let scale = 16.0

    /// Weight of each rank, and for each rank the sum of the weights up to it.
    private let weights: [Double]
    private let sums: [Double]
    /// Hours on screen of each app.
    private var hours: [Double]
    /// Apps that were on screen, the longest first.
    private var ranked: [Int] = []
    /// Rank of each app in `ranked`, or -1.
    private var ranks: [Int]
    private var sizes: [ByteCount]
    /// Apps with caches that were on screen, by cache size divided by weight.
    private var used: GrowingHeap
    /// Other apps with caches, by cache size.
    private var unused: GrowingHeap

    /// Creates the quotas of some apps; none of them has been on screen or has caches.
    package init(apps count: Int) {
        weights = (0..<count).map { max(0.01, 1 / log(Double($0 + 3)) - 0.285) }
        var sum = 0.0
        sums = weights.map { weight in
            sum += weight
            return sum
        }
        hours = Array(repeating: 0, count: count)
        ranks = Array(repeating: -1, count: count)
        sizes = Array(repeating: .zero, count: count)
        used = GrowingHeap(capacity: count)
        unused = GrowingHeap(capacity: count)
    }

    /// Quota of an app at this amount of free space.
    package func quota(of app: AppID, free: ByteCount) -> ByteCount {
        let rank = ranks[Int(app.index)]
        return rank < 0 ? Self.ofUnused : quota(ofRank: rank, free)
    }

    private func quota(ofRank rank: Int, _ free: ByteCount) -> ByteCount {
        max(ByteCount(1), free * (Self.share * weights[rank] / sums[ranked.count - 1]))
    }

    /// Adds time on screen to an app.
    package mutating func use(_ app: AppID, hours more: Double) {
        let index = Int(app.index)
        hours[index] += more
        guard hours[index] > 0 else { return }
        if ranks[index] < 0 {
            ranks[index] = ranked.count
            ranked.append(index)
            unused.remove(index)
        }
        while ranks[index] > 0 {
            let rank = ranks[index]
            let other = ranked[rank - 1]
            guard (-hours[index], index) < (-hours[other], other) else { break }
            ranked.swapAt(rank - 1, rank)
            (ranks[index], ranks[other]) = (rank - 1, rank)
            enter(other)
        }
        enter(index)
    }

    /// Sets the size of an app's caches.
    package mutating func set(_ caches: ByteCount, of app: AppID) {
        sizes[Int(app.index)] = caches
        enter(Int(app.index))
    }

    private mutating func enter(_ index: Int) {
        guard sizes[index] > .zero else {
            used.remove(index)
            return unused.remove(index)
        }
        if ranks[index] < 0 {
            unused.set(index, key: -sizes[index].bytes)
        } else {
            used.set(index, key: -Int64(Double(sizes[index].bytes) / weights[ranks[index]] * Self.scale))
        }
    }

    /// Bytes that each app's caches lose to free a total, in the order of the apps; all caches if that is not enough.
    ///
    /// Android repeats one step: the app with the highest multiple of its quota loses its oldest file (`CacheTracker`
    /// in `installd`). If files are small compared to the caches, all of these apps end at the same multiple of their
    /// quotas.
    ///
    /// - Parameter takesFromRunning: Whether apps that execute lose caches, too.
    package mutating func gifts(
        giving needed: ByteCount, free: ByteCount, takesFromRunning: Bool, _ processes: ProcessTable
    ) -> [(app: AppID, bytes: ByteCount)] {
        let givers = farthest(giving: needed, free: free) { app in
            takesFromRunning || !processes.state(of: app).executes
        }
        let level = level(giving: needed, givers, free: free)
        return givers.sorted { $0.app.index < $1.app.index }.compactMap { app, size in
            // Rounded down, so that the total freed is not a byte too small.
            let kept = ByteCount(Int64(Double(quota(of: app, free: free).bytes) * level))
            return size > kept ? (app, size - kept) : nil
        }
    }

    /// The apps farthest above their quotas; these include all apps that must lose caches.
    private mutating func farthest(
        giving needed: ByteCount, free: ByteCount, _ mayGive: (AppID) -> Bool
    ) -> [(app: AppID, size: ByteCount)] {
        var found: [(app: AppID, size: ByteCount)] = []
        var (size, quota) = (ByteCount.zero, ByteCount.zero)
        // Quotas are whole bytes but keys are not, so two apps that differ by less than a byte can be in the wrong
        // order.
        let least = ranked.isEmpty ? Self.ofUnused : self.quota(ofRank: ranked.count - 1, free)
        let slack = least > ByteCount(1) ? 1 + 4 / Double(least.bytes) : .infinity
        while let (app, isUsed) = first(free) {
            let own = self.quota(of: app, free: free)
            let caches = sizes[Int(app.index)]
            if quota > .zero, (size - needed) / quota > caches / own * slack { break }
            if isUsed { used.setFirstAside() } else { unused.setFirstAside() }
            guard mayGive(app) else { continue }
            found.append((app, caches))
            size += caches
            quota += own
        }
        used.putBack()
        unused.putBack()
        return found
    }

    private func first(_ free: ByteCount) -> (app: AppID, isUsed: Bool)? {
        func ratio(_ key: RankedKey?) -> Double {
            guard let key else { return -1 }
            return sizes[Int(key.member)] / quota(of: AppID(Int(key.member)), free: free)
        }
        guard let first = [used.first, unused.first].max(by: { ratio($0) < ratio($1) }) ?? nil else { return nil }
        return (AppID(Int(first.member)), ranks[Int(first.member)] >= 0)
    }

    /// Multiple of the quota to which each app's caches are cut to free a number of bytes.
    ///
    /// The result is 0 if this does not free enough.
    package func level(giving needed: ByteCount, _ caches: [(app: AppID, size: ByteCount)], free: ByteCount) -> Double {
        func quota(_ app: AppID) -> ByteCount { self.quota(of: app, free: free) }
        let falling = caches.sorted {
            ($0.size / quota($0.app), $1.app.index) > ($1.size / quota($1.app), $0.app.index)
        }
        var (size, sum) = (ByteCount.zero, ByteCount.zero)
        for (index, each) in falling.enumerated() {
            size += each.size
            sum += quota(each.app)
            let next = index + 1 < falling.count ? falling[index + 1].size / quota(falling[index + 1].app) : 0
            let level = (size - needed) / sum
            if level >= next { return level }
        }
        return 0
    }
}
