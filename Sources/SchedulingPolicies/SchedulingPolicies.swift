// SPDX-License-Identifier: GPL-3.0-or-later
// SchedulingPolicies contains the rules that decide when background work runs, one file per policy, and their registry.
// In: what a policy may know of a request and of the device (`Vocabulary`). Out: start, or wait until and for what.
// It has no request, no timer and no device. Rules that no policy may override are checked before a policy is called.
// A new policy is one type that conforms to `SchedulingPolicy` and one line in the list below.
// Read first: `PlainPolicies.swift` (short policies), then `Opportunistic.swift`.

import Vocabulary

/// The scheduling policies that experiment files can name.
public enum SchedulingPolicies {
    /// Every policy, one line each, in the order in which users see the list.
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
