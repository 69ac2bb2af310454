// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Quantities
import Vocabulary

/// How much of the storage the caches of each app may fill under Android (`CacheQuotaServiceImpl`): 15 % of what is
/// free is shared out among the apps that were on screen, by rank in the time on screen.
///
/// The system computes them every ten hours (`StorageStatsService`), here whenever it purges by them.
struct CacheQuotas {
    /// What an app has that was never on screen.
    static let ofUnused = ByteCount.mebibytes(64)
    /// Share of the free space that is given out.
    private static let share = 0.15

    private let quotas: [ByteCount]

    /// - Parameter hours: Time on screen of each app.
    init(hours: [Double], free: ByteCount) {
        let ranked = hours.indices.filter { hours[$0] > 0 }.sorted { (-hours[$0], $0) < (-hours[$1], $1) }
        let weights = ranked.indices.map { max(0.01, 1 / log(Double($0 + 3)) - 0.285) }
        let sum = weights.reduce(0, +)
        var quotas = [ByteCount](repeating: Self.ofUnused, count: hours.count)
        for (app, weight) in zip(ranked, weights) {
            quotas[app] = max(ByteCount(1), free * (Self.share * weight / sum))
        }
        self.quotas = quotas
    }

    subscript(app: AppID) -> ByteCount { quotas[Int(app.index)] }

    /// The multiple of its quota to which the caches of each app are cut so that together they give a number of bytes;
    /// 0 where all of them are not enough.
    ///
    /// The app with the highest multiple gives its oldest file first, then whichever is highest then (Android,
    /// `CacheTracker` in `installd`): with files that are small beside the caches, all that give end at one multiple.
    func level(giving needed: ByteCount, _ caches: [(app: AppID, size: ByteCount)]) -> Double {
        let falling = caches.sorted { ($0.size / self[$0.app], $1.app.index) > ($1.size / self[$1.app], $0.app.index) }
        var (size, quota) = (ByteCount.zero, ByteCount.zero)
        for (index, each) in falling.enumerated() {
            size += each.size
            quota += self[each.app]
            let next = index + 1 < falling.count ? falling[index + 1].size / self[falling[index + 1].app] : 0
            let level = (size - needed) / quota
            if level >= next { return level }
        }
        return 0
    }
}
