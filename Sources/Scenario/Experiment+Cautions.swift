// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import PhoneCore
import Processes
import Quantities
import Vocabulary

extension Experiment {
    /// Cautions that are known before any run.
    ///
    /// Most of them are about eviction policies that make few decisions.
    ///
    /// The reaper ends processes that are idle for long before memory is short enough for the policy to decide
    /// (xnu-11417, `memorystatus_pick_action`). All eviction policies then kill nearly the same processes.
    public var cautions: [String] {
        reaperCaution + smallMemory + strangePolicies + strangeRules + unlikeRanks + noRival + noChange
    }

    /// Caution if some orders rank only apps and other orders also rank daemons.
    ///
    /// The system's own order is exempt, because it ranks apps and daemons in the same way.
    private var unlikeRanks: [String] {
        let system = PolicyCatalog.builtIn.eviction.first?.descriptor.name
        let orders = policies.filter { !$0.replacesTrigger && $0.eviction.name != system }.map(\.eviction)
        guard let one = orders.first(where: \.ranksAppsOnly), let other = orders.first(where: { !$0.ranksAppsOnly })
        else { return [] }
        return [
            "\(one.text) ranks only apps, but \(other.text) also ranks daemons, whose deaths cost no relaunch; to rank "
                + "the same processes with both, set ranks: apps or ranks: all"
        ]
    }

    /// Smallest memory of an iPhone with iOS 9 or later (iPhone 4s).
    ///
    /// iPhones with iOS 6 had less.
    private static let leastMemory = ByteCount.mebibytes(512)

    private var smallMemory: [String] {
        let phones = points.map(\.device).filter { $0.os.family == .ios && $0.os.generation != "ios-6" }
        let small = phones.map(\.memory.ram).filter { $0 < Self.leastMemory }
        guard let least = small.min() else { return [] }
        return ["no iPhone with this system has \(Int(least.mebibytes)) MiB of memory: the smallest had 512 MiB"]
    }

    /// Cautions about policies that are made for another family of systems than the phone's.
    private var strangePolicies: [String] {
        var found: [String] = []
        for family in Set(points.map(\.device.os.family)).sorted(by: { $0.phone < $1.phone }) {
            for (choice, descriptor) in policies.flatMap(Self.shipped) {
                guard let own = descriptor.family, own != family else { continue }
                let text = choice.text
                let trigger = descriptor.replacesTrigger ? " and itself decides when to kill" : ""
                let caution = "\(text) is the system's policy on an \(own.phone)\(trigger); no \(family.phone) uses it"
                if !found.contains(caution) { found.append(caution) }
            }
        }
        return found
    }

    /// Policies of a pair that are part of the program.
    private static func shipped(_ pair: PolicyPair) -> [(PolicyChoice, PolicyDescriptor)] {
        let catalog = PolicyCatalog.builtIn
        let eviction = catalog.eviction(named: pair.eviction.name)?.descriptor
        let scheduling = catalog.scheduling(named: pair.scheduling.name)?.descriptor
        return [(pair.eviction, eviction), (pair.scheduling, scheduling)].compactMap { choice, descriptor in
            choice.code == nil ? descriptor.map { (choice, $0) } : nil
        }
    }

    /// Cautions about rules of another family of systems than the phone's.
    private var strangeRules: [String] {
        var found: [String] = []
        for device in points.map(\.device) {
            let (os, background) = (device.os, device.background)
            let strange: [(String, Bool)] =
                os.family == .android
                ? [
                    ("os.reaper_share", os.reaperShare != nil), ("os.app_swap", os.appSwap != nil),
                    ("os.full_compressor_kills", os.fullCompressorKills),
                    ("background.processing_needs_idle_device", background.processingNeedsIdleDevice),
                ]
                : [
                    ("os.trim_levels", os.sendsTrimLevels), ("os.hold_broadcasts", os.holdsBroadcasts),
                    ("background.alarms.kept", background.alarms.areKept),
                    ("background.broadcasts.sent", background.broadcasts.areSent),
                ]
            for (key, isOn) in strange where isOn {
                let caution = "no \(os.family.phone) has the rule device.\(key)"
                if !found.contains(caution) { found.append(caution) }
            }
        }
        return found
    }

    private var noRival: [String] {
        let isAlone =
            policies.count == 1 && points.count == 1 && definition.app == nil
            && definition.targets.isEmpty
        return isAlone ? ["the experiment has only one policy and one point, so nothing is compared"] : []
    }

    private var noChange: [String] {
        definition.policiesFrom != nil && policies.count == 1
            ? ["policies_from has no effect, because the baseline is the only pair of policies"] : []
    }

    private var reaperCaution: [String] {
        let rivals = Set(
            policies.filter { !$0.replacesTrigger && !$0.eviction.ranksReaper }.map(\.eviction.text))
        let reaped = points.filter { $0.device.os.reaperShare != nil }
        guard rivals.count > 1, !reaped.isEmpty else { return [] }
        let share = reaped.count == points.count ? "" : "at \(reaped.count) of \(points.count) points of the sweep, "
        return [
            "\(share)the reaper of this system kills long-idle processes before an eviction policy decides. "
                + "If you set reaper: policy, the policies also choose its victims"
        ]
    }
}
