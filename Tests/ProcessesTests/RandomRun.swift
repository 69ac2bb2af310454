// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

/// A user and an operating system gone mad: any legal move of any app, in any order.
struct RandomRun {
    var phone: TestPhone
    var random: PolicyRandom
    var lastKills: [KillRecord] = []
    private let apps: Int

    init(apps: Int, seed: UInt64, policy: any EvictionPolicy) {
        self.apps = apps
        random = PolicyRandom(seed: seed)
        phone = TestPhone(apps: apps, ram: .gibibytes(3), policy: policy)
    }

    /// The same on a phone of any size, with parameters anywhere in their ranges.
    init(anyMemory seed: UInt64, policy: any EvictionPolicy) {
        apps = 20 + Int(seed % 60)
        random = PolicyRandom(seed: seed)
        var draws = random
        func share() -> Double { draws.nextUniform() }
        let ram = ByteCount.gibibytes([1, 2, 3, 4, 6, 8][Int(share() * 6)])
        phone = TestPhone(apps: apps, ram: ram, policy: policy) {
            $0.compressBelowShare = share()
            $0.suspendedCompressedShare = share()
            $0.compressorRatio = 1 + 3 * share()
            $0.foregroundDecompressedShare = share()
            $0.backgroundDecompressedShare = share()
            $0.perProcessLimit = .mebibytes(100 + 2000 * share())
            $0.compressorLimit = $0.systemFootprint + .mebibytes(3000 * share())
            $0.warmShare = share()
            $0.fileCacheMinimum = ram * (0.1 * share())
            $0.freeTarget = ram * (0.1 * share())
        }
    }

    mutating func draw(_ below: Int) -> Int { Int(random.nextUniform() * Double(below)) }

    /// One move; kills of this step are then in `lastKills`.
    mutating func step() {
        phone.wait(random.nextUniform() * 2)
        let index = draw(apps)
        let app = AppID(index)
        let size = ByteCount.mebibytes(10 + 240 * random.nextUniform())
        let choice = draw(10)
        switch phone.table.state(of: app) {
        case .notRunning where choice == 9: phone.table.prewarm(app, footprint: size * 0.3, at: phone.now)
        case .notRunning, .prewarmed:
            phone.table.launch(app, foreground: choice < 6, footprint: size, at: phone.now)
        case .inactive:
            if choice < 4 {
                phone.table.becomeActive(app, at: phone.now)
            } else {
                phone.table.enterBackground(app, audio: choice == 9, at: phone.now)
            }
        case .active:
            if choice < 7 {
                phone.table.resignActive(app, at: phone.now)
            } else {
                phone.table.setFootprint(of: app, to: choice == 7 ? size * 9 : size, at: phone.now)
            }
        case .background:
            if choice < 7 {
                phone.table.suspend(app, at: phone.now)
            } else {
                phone.table.resume(app, foreground: true, at: phone.now)
            }
        case .suspended:
            if choice < 2 {
                phone.table.terminate(app, .normal, at: phone.now)
            } else if choice < 6 {
                phone.table.resume(app, foreground: choice < 4, at: phone.now)
            } else {
                phone.table.setFootprint(of: app, to: size, at: phone.now)
            }
        }
        lastKills = phone.table.kills
        phone.table.clearKills()
        phone.table.clearWarnings()
    }

    func isIdle(_ index: Int) -> Bool {
        phone.table.isAlive(AppID(index)) && phone.table.band(of: AppID(index)) == 0
    }

    /// The lowest rank by a search of everything.
    func search(_ rule: AnyRule, idleOnly: Bool) -> Double? {
        let alive = (0..<apps).map { AppID($0) }.filter { phone.table.isAlive($0) }
        let idle = alive.filter { phone.table.band(of: $0) == 0 }
        let unprotected = alive.filter { phone.table.band(of: $0) < 100 }
        let candidates = idleOnly ? idle : (unprotected.isEmpty ? alive : unprotected)
        return candidates.map { rule.rank(phone.table.view(of: $0)) }.min()
    }
}
