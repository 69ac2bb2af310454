// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import Recording

extension RunStore {
    /// Warning about replications that have the same events under a policy; nil when all differ.
    ///
    /// Causes are a seed that is not used, or a trace without randomness.
    func repeatedReplications(of plan: Plan) -> String? {
        for point in plan.points.indices {
            for policy in plan.policies.indices {
                let seen = (0..<plan.replications).compactMap { replication in
                    self[plan.run(replication: replication, point: point, policy: policy).number]?.outcome.fingerprint
                }
                let distinct = Set(seen).count
                guard distinct < seen.count else { continue }
                return
                    "Identical replications: the \(seen.count) runs of \(plan.policies[policy].name) contain only "
                    + "\(distinct) different ones, so they count as \(distinct) and every interval is too narrow."
            }
        }
        return nil
    }

    /// Warning about replications with the same workload, which are therefore not independent; nil when all differ.
    ///
    /// Intervals assume that replications are independent draws of users and days. A workload that occurs twice counts
    /// twice.
    func repeatedWorkloads(of plan: Plan) -> String? {
        for point in plan.points.indices {
            let seen = (0..<plan.replications).compactMap { replication in
                workload(plan.run(replication: replication, point: point, policy: plan.baseline).number)
            }
            let distinct = Set(seen).count
            guard seen.count > 1, distinct < seen.count else { continue }
            if distinct == 1 {
                return "all \(seen.count) replications have the same workload: the intervals cover these days only, "
                    + "not other users"
            }
            return "\(seen.count) replications have only \(distinct) different workloads, so the intervals are "
                + "too narrow"
        }
        return nil
    }
}
