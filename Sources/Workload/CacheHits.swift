// SPDX-License-Identifier: GPL-3.0-or-later

/// Share of launches that find their app resident on a phone that keeps the most recent apps, under three eviction
/// rules.
///
/// Every launch counts; a first use counts as a miss (models/recordings.md, section 2.0).
package enum CacheHits {
    /// For each launch, the number of different apps used since the last use of its app, this app included; nil for a
    /// first use.
    ///
    /// Under "least recently used", a launch is a hit when this number is at most the capacity.
    package static func depths(_ launches: [Int]) -> [Int?] {
        var recent: [Int] = []
        return launches.map { app in
            let index = recent.lastIndex(of: app)
            if let index { recent.remove(at: index) }
            recent.append(app)
            return index.map { recent.count - $0 }
        }
    }

    /// Share of hits when the least recently used app is evicted.
    package static func leastRecentlyUsed(_ depths: [Int?], capacity: Int) -> Double {
        let hits = depths.count { $0.map { $0 <= capacity } ?? false }
        return Double(hits) / Double(depths.count)
    }

    /// Share of hits when eviction takes the app with the farthest next use (Belady 1966, doi:10.1147/sj.52.0078).
    package static func belady(_ launches: [Int], capacity: Int) -> Double {
        let nextUse = nextUses(launches)
        var resident: [(app: Int, next: Int)] = []
        var hits = 0
        for (index, app) in launches.enumerated() {
            if let found = resident.firstIndex(where: { $0.app == app }) {
                hits += 1
                resident[found].next = nextUse[index]
                continue
            }
            if resident.count == capacity,
                let farthest = resident.indices.max(by: {
                    (resident[$0].next, resident[$0].app) < (resident[$1].next, resident[$1].app)
                })
            {
                resident.remove(at: farthest)
            }
            resident.append((app, nextUse[index]))
        }
        return Double(hits) / Double(launches.count)
    }

    /// Share of hits when eviction takes the app with the fewest launches so far, and among equals the least recent
    /// one.
    static func leastFrequentlyUsed(_ launches: [Int], capacity: Int) -> Double {
        var counts = [Int](repeating: 0, count: (launches.max() ?? -1) + 1)
        var resident: [(app: Int, last: Int)] = []
        var hits = 0
        for (index, app) in launches.enumerated() {
            counts[app] += 1
            if let found = resident.firstIndex(where: { $0.app == app }) {
                hits += 1
                resident[found].last = index
                continue
            }
            if resident.count == capacity,
                let rarest = resident.indices.min(by: {
                    (counts[resident[$0].app], resident[$0].last) < (counts[resident[$1].app], resident[$1].last)
                })
            {
                resident.remove(at: rarest)
            }
            resident.append((app, index))
        }
        return Double(hits) / Double(launches.count)
    }

    private static func nextUses(_ launches: [Int]) -> [Int] {
        var next = [Int](repeating: .max, count: launches.count)
        var seen = [Int](repeating: .max, count: (launches.max() ?? -1) + 1)
        for index in launches.indices.reversed() {
            next[index] = seen[launches[index]]
            seen[launches[index]] = index
        }
        return next
    }
}
