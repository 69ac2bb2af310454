// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The kind of background work that an app requests.
public enum RequestKind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// A short launch of up to 30 s to fetch new content (BGAppRefreshTask).
    case refresh
    /// Minutes of work on an idle device (BGProcessingTask).
    case processing
}

/// A pending request, as a scheduling policy sees it.
public struct RequestView: Sendable, BitwiseCopyable {
    /// The app that submitted the request.
    public var app: AppID
    /// Refresh or processing.
    public var kind: RequestKind
    /// When the app submitted the request; for a repeating request, one period before its earliest begin.
    public var submitted: SimTime
    /// Earliest begin, before which the work may not run.
    public var earliestBegin: SimTime
    /// When the system gives up the request.
    public var deadline: SimTime
    /// Whether the work needs external power.
    public var requiresPower: Bool
    /// Whether the work needs a network.
    public var requiresNetwork: Bool
    /// When the user last opened the app; the start of the run if never.
    public var lastOpened: SimTime
    /// When background work of this kind last started for the app; the start of the run if never.
    public var lastRun: SimTime
    /// Probability that the user opens the app in the next 30 minutes, learned from this user's own past.
    public var openLikelihood: Double
    /// Bytes that the work is expected to move.
    public var expectedBytes: ByteCount
    /// Expected duration of the work.
    public var expectedDuration: SimDuration
    /// Time for which the screen has been on since the user last opened the app.
    public var screenTimeSinceOpened: SimDuration
    /// Number of times that the screen came on since the user last opened the app.
    public var screenCyclesSinceOpened: Int32
    /// The parts of the phone that the work switches on.
    public var hardware: WakeHardware
    /// Whether the app requests an exact instant, without a window (`AlarmManager.setExact`).
    public var isExact: Bool
    /// Whether the app requests an expedited job (`JobInfo.Builder.setExpedited`).
    public var isExpedited: Bool
    /// Whether the user lets the app use the battery without restriction (Android's setting).
    public var isUnrestricted: Bool
    /// Next open of the app, only for oracles; the distant future if unknown.
    ///
    /// A policy that reads it sets `isOracle` in its descriptor.
    public var nextOpen: SimTime

    /// Creates a view; inlined at the caller, because each decision creates one.
    @inlinable @inline(__always)
    public init(
        app: AppID, kind: RequestKind, submitted: SimTime, earliestBegin: SimTime, deadline: SimTime,
        requiresPower: Bool, requiresNetwork: Bool, lastOpened: SimTime, lastRun: SimTime, openLikelihood: Double,
        expectedBytes: ByteCount, expectedDuration: SimDuration, screenTimeSinceOpened: SimDuration = .zero,
        screenCyclesSinceOpened: Int32 = 0, hardware: WakeHardware = WakeHardware(), isExact: Bool = false,
        isExpedited: Bool = false, isUnrestricted: Bool = false, nextOpen: SimTime = .distantFuture
    ) {
        self.app = app
        self.kind = kind
        self.submitted = submitted
        self.earliestBegin = earliestBegin
        self.deadline = deadline
        self.requiresPower = requiresPower
        self.requiresNetwork = requiresNetwork
        self.lastOpened = lastOpened
        self.lastRun = lastRun
        self.openLikelihood = openLikelihood
        self.expectedBytes = expectedBytes
        self.expectedDuration = expectedDuration
        self.screenTimeSinceOpened = screenTimeSinceOpened
        self.screenCyclesSinceOpened = screenCyclesSinceOpened
        self.hardware = hardware
        self.isExact = isExact
        self.isExpedited = isExpedited
        self.isUnrestricted = isUnrestricted
        self.nextOpen = nextOpen
    }
}
