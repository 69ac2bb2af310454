// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import RandomStreams
import Vocabulary

/// The apps among which a user chooses, the favourite first.
///
/// The order is a weighted random permutation. App i gets the key -ln(u) / popularity, with u from the app's own
/// stream, and smaller keys come first. The order of two apps therefore never depends on a third app.
struct ActiveApps: Sendable {
    /// The apps of the active set by rank, the favourite first.
    let ranked: [AppID]
    /// Apps that the user has but does not use yet, in the order in which they would be tried.
    let untried: [AppID]

    init(apps: [AppModel], active: Int, seed: UInt64, replication: Int) {
        var keyed: [(key: Double, name: String, app: AppID)] = []
        for (index, app) in apps.enumerated() where app.popularity > 0 {
            var stream = RandomStream(
                StreamKey(seed: seed, replication: replication, entity: app.name, purpose: "popularity"))
            let key = -log(1 - stream.uniform()) / app.popularity
            keyed.append((key, app.name, AppID(index)))
        }
        keyed.sort { ($0.key, $0.name) < ($1.key, $1.name) }
        ranked = keyed.prefix(active).map(\.app)
        untried = keyed.dropFirst(active).map(\.app)
    }
}

/// Draws from some of the ranks, with probability proportional to 1 / rank^s.
struct ZipfChoice: Sendable {
    private let apps: [AppID]
    private let cumulative: [Double]

    /// Keeps the ranked apps that `include` accepts; each keeps the weight of its rank.
    init(_ ranked: [AppID], exponent: Double, include: (AppID) -> Bool = { _ in true }) {
        var apps: [AppID] = []
        var cumulative: [Double] = []
        var sum = 0.0
        for (rank, app) in ranked.enumerated() where include(app) {
            sum += pow(Double(rank + 1), -exponent)
            apps.append(app)
            cumulative.append(sum)
        }
        self.apps = apps
        self.cumulative = cumulative
    }

    /// Number of apps among which to choose.
    var count: Int { apps.count }

    /// Draws an app other than `excluded`; returns `excluded` when it is the only app, and nil when there is no app.
    func draw(except excluded: AppID?, _ stream: inout RandomStream) -> AppID? {
        guard let only = apps.first, let total = cumulative.last else { return nil }
        if apps.count == 1 { return only }
        while true {
            let app = apps[index(of: stream.uniform() * total)]
            if app != excluded { return app }
        }
    }

    private func index(of target: Double) -> Int {
        var low = 0
        var high = cumulative.count - 1
        while low < high {
            let middle = (low + high) / 2
            if cumulative[middle] > target { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
