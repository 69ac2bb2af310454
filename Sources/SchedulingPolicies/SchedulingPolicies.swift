// SPDX-License-Identifier: GPL-3.0-or-later
// SchedulingPolicies owns the rules that decide when background work runs, one file per policy, and their registry.
// In: what a policy may know of a request and of the device (`Vocabulary`). Out: start, or wait until and for what.
// It owns no request, no timer and no device; what no policy may override has been checked before a policy is asked.
// A new policy is one type that conforms to `SchedulingPolicy` and one line in the list below.
// Read first: `PlainPolicies.swift` (the short ones), then `Opportunistic.swift`.

import Vocabulary

/// The scheduling policies that experiment files can name.
public enum SchedulingPolicies {
    /// Every policy, one line each, in the order of lists for users.
    public static let all: [SchedulingPolicyEntry] = [
        Opportunistic.entry,
        Immediate.entry,
        ChargerAndWifi.entry,
        Periodic.entry,
        Piggyback.entry,
        Never.entry,
        SixChecks.entry,
        EarliestDeadline.entry,
        NativeAlignment.entry,
        Simty.entry,
        JobScheduler.entry,
        TailEnder.entry,
        ETrain.entry,
        Lyapunov.entry,
        Hush.entry,
        JustInTime.entry,
        Clairvoyant.entry,
    ]

    /// The policy with this name, if there is one.
    public static func named(_ name: String) -> SchedulingPolicyEntry? { all.first { $0.descriptor.name == name } }
}
