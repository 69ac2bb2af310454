// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

extension Plan {
    /// Names of the policies, without the part that all policies share.
    ///
    /// For instance, `lru+opportunistic` becomes `lru` if every policy uses opportunistic scheduling. Names that the
    /// experiment sets are unchanged.
    public var shortNames: [String] {
        let policies = self.policies
        let names = policies.map(\.name)
        guard policies.count > 1, policies.allSatisfy(\.isPlain) else { return names }
        if policies.allSatisfy({ $0.scheduling == policies[0].scheduling }) { return policies.map(\.withoutScheduling) }
        if policies.allSatisfy({ $0.eviction == policies[0].eviction }) { return policies.map(\.withoutEviction) }
        return names
    }

    /// Index of a policy by its full or short name.
    ///
    /// - Throws: `Diagnostics` with the nearest name when there is no such policy.
    public func policy(_ name: String) throws(Diagnostics) -> Int {
        let names = self.policies.map(\.name)
        if let index = names.firstIndex(of: name) ?? shortNames.firstIndex(of: name) { return index }
        let near = nearest(to: name, in: names + shortNames).map { "did you mean \"\($0)\"?" }
        throw Diagnostics(
            "the experiment has no policy \"\(name)\"",
            hint: near ?? listHint(name, of: names))
    }
}
