// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// How fast a process is relaunched after a kill, in the classes that launchd records (libsyscall `posix_spawn.c`).
public enum RelaunchRecord: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case unknown, low, medium, high

    /// Class of the bucket that contains the most recorded times between kill and relaunch.
    ///
    /// Among equals, the bucket that reached the number first is used. Times up to 5,000 ms mean a high rate of
    /// relaunch, and times up to 10,000 ms a medium rate.
    public init(milliseconds times: [Int]) {
        var counts: [RelaunchRecord: Int] = [:]
        var best = RelaunchRecord.unknown
        for time in times {
            let bucket: RelaunchRecord = time <= 5000 ? .high : time <= 10000 ? .medium : .low
            counts[bucket, default: 0] += 1
            if counts[bucket, default: 0] > counts[best, default: 0] { best = bucket }
        }
        self = best
    }
}

/// Role of a process in its coalition; the kernel kills members of a visible coalition in this order.
public enum CoalitionRole: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case undefined
    /// An extension of the app.
    case appExtension
    /// A service that the app calls.
    case xpcService
    /// The app itself.
    case leader
}

/// A limit of a process's footprint.
public struct MemoryLimit: Sendable, BitwiseCopyable, Equatable {
    /// Size of the limit; if it is not positive, the device's limit for a process applies.
    public var size: ByteCount
    /// Whether the process is killed at once above the limit; otherwise, it is killed when memory is short.
    public var isFatal: Bool

    /// Creates a limit.
    public init(_ size: ByteCount, isFatal: Bool) {
        self.size = size
        self.isFatal = isFatal
    }

    /// The device's limit.
    public static var standard: MemoryLimit { MemoryLimit(.zero, isFatal: true) }
}

/// Properties of a spawned process that the killer uses.
public struct ProcessTraits: Sendable, BitwiseCopyable, Equatable {
    /// Whether RunningBoard manages the process, as it manages apps and extensions.
    public var isManaged = true
    /// Whether the process opted into dirty tracking, as most daemons do.
    public var isTracked = false
    /// Whether a tracked process may be killed while it is clean.
    public var allowsIdleExit = false
    /// Requested band.
    public var band: Int16 = 0
    /// Limit of the process while it works.
    public var activeLimit = MemoryLimit.standard
    /// Limit of the process while it is idle.
    public var inactiveLimit = MemoryLimit.standard
    /// The device's limit for a process with an entitlement that raises it; zero without the entitlement.
    public var entitledLimit = ByteCount.zero
    /// Record of relaunches.
    public var relaunch = RelaunchRecord.unknown
    /// Coalition of the process; negative if it has none.
    public var coalition: Int32 = -1
    /// Role of the process in the coalition.
    public var role = CoalitionRole.undefined
    /// Whether the process may use the bands 1 to 9 (entitlement for internal bands).
    public var mayUseInternalBands = false
    /// Whether the freezer may freeze the process.
    public var isFreezable = true
    /// Probability that the process is used again, from a scheduler; 1 without a scheduler's table.
    public var useProbability = 1.0

    /// Creates the traits of an app.
    public init() {}
}

/// Reasons why the killer refuses a request, with the names of `errno.h`.
public enum RequestError: String, Sendable {
    /// The band is outside -2 to 210, or flags are undefined.
    case invalid = "EINVAL"
    /// The request is an assertion on a process that RunningBoard does not manage, or a freeze that is not allowed.
    case notPermitted = "EPERM"
    /// There is no suitable process.
    case notFound = "ESRCH"
    /// The freezer is missing or off.
    case notSupported = "ENOTSUP"
}
