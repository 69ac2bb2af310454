// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Quantities
import Vocabulary

/// An eviction policy of a shared library, with the state of one run.
///
/// The state is behind a pointer, so this is a class. If the library can copy its state, `CopiedEviction` makes the
/// policy a value.
final class LibraryEviction: EvictionPolicy, @unchecked Sendable {
    private let policy: UnsafePointer<flotsam_eviction>
    private let state: UnsafeMutableRawPointer?
    private let watch: CallWatch
    private let path: String
    private let isOracle: Bool
    private let rankFunction:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<flotsam_candidate>?, flotsam_time
        ) -> Double
    let rankLifetime: SimDuration?
    let replacesTrigger: Bool

    init(
        _ policy: UnsafePointer<flotsam_eviction>, _ path: String, _ about: PolicyDescriptor,
        _ arguments: PolicyArguments
    ) {
        self.policy = policy
        self.path = path
        isOracle = about.isOracle
        watch = CallWatch(path)
        guard let rank = policy.pointee.rank else { PolicyFailure.end("\(path) has no function \"rank\"") }
        rankFunction = rank
        let lifetime = policy.pointee.rank_lifetime
        rankLifetime = lifetime == 0 ? nil : .init(nanoseconds: max(0, lifetime))
        replacesTrigger = policy.pointee.triggers
        state = watch.made(policy.pointee.create, arguments)
    }

    /// Creates an independent copy that continues from the current state.
    private init(copying other: LibraryEviction) {
        policy = other.policy
        path = other.path
        isOracle = other.isOracle
        watch = CallWatch(other.path)
        rankFunction = other.rankFunction
        rankLifetime = other.rankLifetime
        replacesTrigger = other.replacesTrigger
        state = watch.copied(other.policy.pointee.copy, other.state)
    }

    deinit {
        guard let state, let destroy = policy.pointee.destroy else { return }
        watch.enter()
        destroy(state)
        watch.leave()
    }

    /// Whether the library has no state that must be copied.
    var isShareable: Bool { policy.pointee.create == nil }

    func copied() -> LibraryEviction { isShareable ? self : LibraryEviction(copying: self) }

    @inline(__always)
    func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        if !isOracle, candidate.nextOpen != .distantFuture { return rank(candidate.blind, at: now) }
        let rank = withUnsafePointer(to: candidate) { pointer in
            let view = UnsafeRawPointer(pointer).assumingMemoryBound(to: flotsam_candidate.self)
            watch.enter()
            defer { watch.leave() }
            return rankFunction(state, view, now.nanoseconds)
        }
        if rank.isNaN { PolicyFailure.end("the policy \(path) ranked app \(candidate.app.index) with NaN") }
        return rank
    }

    func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        guard let function = policy.pointee.did_evict else { return }
        let seen = isOracle ? candidate : candidate.blind
        withUnsafePointer(to: seen) { pointer in
            let view = UnsafeRawPointer(pointer).assumingMemoryBound(to: flotsam_candidate.self)
            watch.enter()
            function(state, view, now.nanoseconds)
            watch.leave()
        }
    }

    func didOpen(_ app: AppID, at now: SimTime) {
        guard let function = policy.pointee.did_open else { return }
        watch.enter()
        function(state, app.index, now.nanoseconds)
        watch.leave()
    }

    func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double? {
        guard let function = policy.pointee.highest_rank_to_die else { return nil }
        var rank = 0.0
        let somebody = withUnsafePointer(to: memory) { pointer in
            let view = UnsafeRawPointer(pointer).assumingMemoryBound(to: flotsam_memory.self)
            watch.enter()
            defer { watch.leave() }
            return function(state, view, now.nanoseconds, &rank)
        }
        if rank.isNaN {
            PolicyFailure.end("the policy \(path) returned NaN as the highest rank of a process that may die")
        }
        return somebody ? rank : nil
    }

    func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        guard let function = policy.pointee.survey else { return }
        let seen = isOracle ? candidates : candidates.map(\.blind)
        seen.withUnsafeBytes { bytes in
            let views = bytes.assumingMemoryBound(to: flotsam_candidate.self)
            watch.enter()
            function(state, views.baseAddress, seen.count, now.nanoseconds)
            watch.leave()
        }
    }
}

/// An eviction policy as a value.
///
/// A copy gets its own state when it or the original is next used.
struct CopiedEviction: EvictionPolicy {
    private var policy: LibraryEviction

    init(_ policy: LibraryEviction) { self.policy = policy }

    @inline(__always)
    private mutating func own() -> LibraryEviction {
        if !isKnownUniquelyReferenced(&policy) { policy = policy.copied() }
        return policy
    }

    var rankLifetime: SimDuration? { policy.rankLifetime }
    var replacesTrigger: Bool { policy.replacesTrigger }
    mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { own().rank(candidate, at: now) }
    mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) { own().didEvict(candidate, at: now) }
    mutating func didOpen(_ app: AppID, at now: SimTime) { own().didOpen(app, at: now) }
    mutating func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double? {
        own().highestRankToDie(memory, at: now)
    }
    mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) { own().survey(candidates, at: now) }
}

extension EvictionCandidate {
    /// The view without the time of the next open, for a policy that may not read the future.
    var blind: EvictionCandidate {
        var seen = self
        seen.nextOpen = .distantFuture
        return seen
    }
}

extension CallWatch {
    /// Creates the state of a library for one run.
    func made(
        _ create: (@convention(c) (UnsafePointer<flotsam_arguments>?) -> UnsafeMutableRawPointer?)?,
        _ arguments: PolicyArguments
    ) -> UnsafeMutableRawPointer? {
        guard let create else { return nil }
        return arguments.values.withUnsafeBufferPointer { values in
            var handed = flotsam_arguments(values: values.baseAddress, count: values.count, seed: arguments.seed)
            enter()
            defer { leave() }
            return create(&handed)
        }
    }

    /// Creates a copy of a state.
    func copied(
        _ copy: (@convention(c) (UnsafeRawPointer?) -> UnsafeMutableRawPointer?)?, _ state: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let copy else { return nil }
        enter()
        defer { leave() }
        return copy(state)
    }
}
