// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Kinds of background work, as far as the system's rules differ between them.
public struct BackgroundKinds: OptionSet, Sendable, BitwiseCopyable {
    /// One bit per kind.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A short launch to fetch new content.
    public static let refresh = BackgroundKinds(rawValue: 1 << 0)
    /// Minutes of work for an idle device.
    public static let processing = BackgroundKinds(rawValue: 1 << 1)
    /// A push that runs code.
    public static let silentPush = BackgroundKinds(rawValue: 1 << 2)
    /// Bytes that the system moves for an app, as soon as it can.
    public static let transfer = BackgroundKinds(rawValue: 1 << 3)
    /// The same, when the system chooses the moment.
    public static let discretionaryTransfer = BackgroundKinds(rawValue: 1 << 4)
    /// A launch for an event: a call, a region, an accessory, a transfer that is done.
    public static let event = BackgroundKinds(rawValue: 1 << 5)

    /// What apps ask for with `BGTaskScheduler`.
    public static let requests: BackgroundKinds = [.refresh, .processing]

    /// The set of one kind of request.
    @inline(__always)
    public init(_ kind: RequestKind) { self = kind == .refresh ? .refresh : .processing }
}

/// The operating system's own rules of background work, which no scheduling policy overrides, in the order in which
/// they are asked.
///
/// This is the one list of them: what each says stands in `facts` (`SystemRule+Facts.swift`), when it holds in
/// `RequestTable.holds`, until when in `RequestTable.end`. A decision takes the first rule that holds, an explanation
/// shows all, pushes and transfers ask those that concern them.
public enum SystemRule: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// Background App Refresh is off for the phone or the app.
    case switchedOff
    /// The user force-quit the app and has not opened it since.
    case forceQuit
    /// The phone was started and not unlocked yet.
    case firstUnlock
    /// Other work of the app is under way.
    case busy
    /// The user is looking at the app.
    case foreground
    /// Low Power Mode is on.
    case lowPowerMode
    /// The battery is low and the phone off the charger.
    case batteryCritical
    /// The phone is too warm.
    case heat
    /// The camera is in use.
    case camera
    /// Processing waits for a phone that is not in use.
    case deviceInUse
    /// The request waits for the instant before which the app wants nothing.
    case earliestBegin
    /// The app let earlier work of this kind run into its limit.
    case throttled
    /// The app's last processing task started a short time ago, and it asked for this one afterwards.
    case spacing
    /// External power was asked for.
    case requiresPower
    /// A network was asked for, or is needed in any case.
    case requiresNetwork
    /// Wi-Fi is needed.
    case requiresWiFi
    /// The app's files cannot be read while the phone is locked.
    case protectedFiles
    /// After a long absence everybody's work is due at once.
    case herd
    /// The day's energy budget does not cover it.
    case energyBudget
    /// The day's budget of bytes over cellular does not cover it.
    case cellularBudget

    /// The first rule of which a condition is true.
    ///
    /// Written out, so that what is asked of each rule is compiled for that rule alone.
    @inline(__always)
    static func first(where condition: (SystemRule) -> Bool) -> SystemRule? {
        if condition(.switchedOff) { return .switchedOff }
        if condition(.forceQuit) { return .forceQuit }
        if condition(.firstUnlock) { return .firstUnlock }
        if condition(.busy) { return .busy }
        if condition(.foreground) { return .foreground }
        if condition(.lowPowerMode) { return .lowPowerMode }
        if condition(.batteryCritical) { return .batteryCritical }
        if condition(.heat) { return .heat }
        if condition(.camera) { return .camera }
        if condition(.deviceInUse) { return .deviceInUse }
        if condition(.earliestBegin) { return .earliestBegin }
        if condition(.throttled) { return .throttled }
        if condition(.spacing) { return .spacing }
        if condition(.requiresPower) { return .requiresPower }
        if condition(.requiresNetwork) { return .requiresNetwork }
        if condition(.requiresWiFi) { return .requiresWiFi }
        if condition(.protectedFiles) { return .protectedFiles }
        if condition(.herd) { return .herd }
        if condition(.energyBudget) { return .energyBudget }
        if condition(.cellularBudget) { return .cellularBudget }
        return nil
    }

    /// How many rules there are.
    static var count: Int { Int(SystemRule.cellularBudget.rawValue) + 1 }

    /// When in the life of a piece of work a rule is asked.
    public struct Stages: OptionSet, Sendable {
        /// One bit per stage.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// When it is asked for: it is refused or dropped.
        public static let submission = Stages(rawValue: 1 << 0)
        /// When it might start, whatever the request says.
        public static let launch = Stages(rawValue: 1 << 1)
        /// When it might start, by what the request says.
        public static let request = Stages(rawValue: 1 << 2)
        /// Last of all, when a launch would be charged for.
        public static let allowance = Stages(rawValue: 1 << 3)
    }

    /// What is to be said of a rule.
    public struct Facts: Sendable {
        /// Name in tables and sentence of `flotsam why`.
        public var text: RuleText
        /// Name of the policy that dasd logs it under.
        public var logName: String
        /// Its weight there.
        public var weight: Double
        /// The condition, as the logs write it.
        public var rationale: String
        /// What it answers there.
        public var answer: PolicyAnswer
        /// The kinds of work for which it holds.
        public var kinds: BackgroundKinds
        /// When it is asked.
        public var stages: Stages
        /// The changes of the device that lift it; none where only time or the user does.
        public var liftedBy: ConditionChanges

        init(
            _ text: RuleText, log: String, weight: Double = 1, _ rationale: String,
            answer: PolicyAnswer = .mustNotProceed, for kinds: BackgroundKinds = .requests,
            at stages: Stages = .launch, liftedBy: ConditionChanges = []
        ) {
            self.text = text
            logName = log
            self.weight = weight
            self.rationale = rationale
            self.answer = answer
            self.kinds = kinds
            self.stages = stages
            self.liftedBy = liftedBy
        }
    }
}
