// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Disk

/// What Android lets apps have in their caches, and who gives first.
@Suite struct CacheQuotaTests {
    private static func quotas(_ hours: [Double]) -> CacheQuotas {
        var quotas = CacheQuotas(apps: hours.count)
        for (app, hours) in hours.enumerated() { quotas.use(AppID(app), hours: hours) }
        return quotas
    }

    /// Of 20 GB free, 20 and 40 used apps have so many megabytes by the published rule.
    @Test(arguments: [(20, [561.965525, 105.545824, 34.617720]), (40, [517.517635, 97.197822, 8.277114])])
    func `quotas share out 15 per cent of what is free by rank in the time on screen`(used: Int, megabytes: [Double]) {
        // The last app was used most, the first two never.
        let quotas = Self.quotas([0, 0] + (1...used).map(Double.init))
        let free = ByteCount(20_000_000_000)
        let found = [used + 1, used - 8, 2].map { Double(quotas.quota(of: AppID($0), free: free).bytes) / 1e6 }
        for (found, expected) in zip(found, megabytes) { #expect(abs(found - expected) < 1e-5) }
        for app in 0...1 { #expect(quotas.quota(of: AppID(app), free: free) == .mebibytes(64)) }
    }

    @Test func `of equal times on screen the app that the experiment names first ranks first`() {
        let quotas = Self.quotas([1, 3, 1, 2])
        let free = ByteCount(1_000_000_000)
        let found = (0..<4).map { quotas.quota(of: AppID($0), free: free).bytes }
        #expect(found[1] > found[3] && found[3] > found[0] && found[0] > found[2])
    }

    @Test func `the farthest above its quota gives until it is level with the next`() {
        let quotas = Self.quotas([0, 0, 0])
        let free = ByteCount(1_000_000_000)
        let unit = Double(ByteCount.mebibytes(64).bytes)
        let caches = [50, 300, 200].enumerated().map { (app: AppID($0), size: ByteCount($1 * 1_000_000)) }
        func level(_ bytes: Int64) -> Double { quotas.level(giving: ByteCount(bytes), caches, free: free) }
        // 100 MB bring the largest down to the second, 25 more from each make 150; 30 come from the largest alone.
        #expect(abs(level(150_000_000) - 175e6 / unit) < 1e-9)
        #expect(abs(level(30_000_000) - 270e6 / unit) < 1e-9)
        // All three give down to 40 MB each.
        #expect(abs(level(430_000_000) - 40e6 / unit) < 1e-9)
        #expect(level(551_000_000) == 0)
    }

    // MARK: Without asking all

    /// Apps with caches of which some execute, at any free space, against all of them sorted.
    @Test(arguments: 0..<40) func `who gives is found as if all were asked`(seed: Int) {
        var random = PolicyRandom(seed: UInt64(seed))
        let count = 2 + Int(38 * random.nextUniform())
        var quotas = CacheQuotas(apps: count)
        var (hours, sizes) = ([Double](repeating: 0, count: count), [Int64](repeating: 0, count: count))
        let processes = Self.processes(count, executing: { $0 % 5 == 3 })
        for _ in 0..<60 {
            let app = Int(Double(count) * random.nextUniform())
            switch Int(3 * random.nextUniform()) {
            case 0:
                // Times of three lengths, so that some apps have equal ones, and some visits of none.
                let more = Double(Int(3 * random.nextUniform()))
                hours[app] += more
                quotas.use(AppID(app), hours: more)
            case 1:
                sizes[app] = random.nextUniform() < 0.2 ? 0 : Int64(3e8 * random.nextUniform())
                quotas.set(ByteCount(sizes[app]), of: AppID(app))
            default:
                let free = ByteCount(Int64(7e8 * random.nextUniform() * random.nextUniform()))
                let needed = ByteCount(Int64(1e9 * random.nextUniform()))
                let takesAll = random.nextUniform() < 0.5
                let found = quotas.gifts(giving: needed, free: free, takesFromRunning: takesAll, processes)
                let givers = sizes.indices.filter { sizes[$0] > 0 && (takesAll || $0 % 5 != 3) }
                let plain = Self.plainGifts(hours, sizes, givers, needed, free)
                #expect(found.map { Int($0.app.index) } == plain.map(\.app))
                #expect(found.map(\.bytes.bytes) == plain.map(\.bytes))
            }
        }
    }

    /// The rule, word by word, over all apps.
    private static func plainGifts(
        _ hours: [Double], _ sizes: [Int64], _ givers: [Int], _ needed: ByteCount, _ free: ByteCount
    ) -> [(app: Int, bytes: Int64)] {
        let quotas = Self.quotas(hours)
        let level = quotas.level(giving: needed, givers.map { (AppID($0), ByteCount(sizes[$0])) }, free: free)
        return givers.compactMap { app in
            let kept = Int64(Double(quotas.quota(of: AppID(app), free: free).bytes) * level)
            return sizes[app] > kept ? (app, sizes[app] - kept) : nil
        }
    }

    /// Processes of which some are on screen, which execute.
    private static func processes(_ count: Int, executing: (Int) -> Bool) -> ProcessTable {
        let apps = (0..<count).map { AppModel(name: "app-\($0)", category: "test") }
        var table = ProcessTable(
            apps: apps, memory: MemoryParameters(ram: .gibibytes(64)), profile: .ios18(ram: .gibibytes(64)),
            policy: NobodyDies())
        for index in 0..<count where executing(index) {
            _ = table.launch(AppID(index), foreground: true, footprint: .mebibytes(1), at: .zero)
        }
        return table
    }
}

/// Nobody has to die in these tests.
private struct NobodyDies: EvictionPolicy {
    mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { 0 }
}
