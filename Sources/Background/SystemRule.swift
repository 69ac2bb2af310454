// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Kinds of background work that the rules of the system distinguish.
public struct BackgroundKinds: OptionSet, Sendable, BitwiseCopyable {
    /// One bit per kind.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A short launch that fetches new content.
    public static let refresh = BackgroundKinds(rawValue: 1 << 0)
    /// Minutes of work on an idle device.
    public static let processing = BackgroundKinds(rawValue: 1 << 1)
    /// A push that runs code.
    public static let silentPush = BackgroundKinds(rawValue: 1 << 2)
    /// Bytes that the system moves for an app as soon as possible.
    public static let transfer = BackgroundKinds(rawValue: 1 << 3)
    /// Bytes that the system moves for an app at a time that the system chooses.
    public static let discretionaryTransfer = BackgroundKinds(rawValue: 1 << 4)
    /// A launch for an event: a call, a region, an accessory, a completed transfer.
    public static let event = BackgroundKinds(rawValue: 1 << 5)

    /// Work that apps request with `BGTaskScheduler`.
    public static let requests: BackgroundKinds = [.refresh, .processing]

    /// The set with one kind of request.
    @inline(__always)
    public init(_ kind: RequestKind) { self = kind == .refresh ? .refresh : .processing }
}

/// The operating system's own rules for background work, in the order of checking; no scheduling policy overrides them.
///
/// This is the only list of the rules. The properties of a rule are in `facts` (`SystemRule+Facts.swift`), its
/// condition is in `RequestTable.holds`, and its end is in `RequestTable.end`. A decision uses the first rule that
/// applies, and an explanation shows all of them. Pushes and transfers check only the rules for them.
public enum SystemRule: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// Background App Refresh is off for the phone or the app.
    case switchedOff
    /// The user force-quit the app and has not opened it since.
    case forceQuit
    /// The phone was started and has not been unlocked since.
    case firstUnlock
    /// Other work of the app is running.
    case busy
    /// The app is on screen.
    case foreground
    /// Low Power Mode is on.
    case lowPowerMode
    /// The battery is low, and the phone is off the charger.
    case batteryCritical
    /// The phone is too warm.
    case heat
    /// The camera is in use.
    case camera
    /// Processing waits until the phone is not in use.
    case deviceInUse
    /// The earliest begin that the app stated is in the future.
    case earliestBegin
    /// The app let earlier work of this kind reach its limit.
    case throttled
    /// The app's last processing task started a short time ago, and the app requested this one afterwards.
    case spacing
    /// The request needs external power.
    case requiresPower
    /// The request needs a network, or work of this kind always needs one.
    case requiresNetwork
    /// The work needs Wi-Fi.
    case requiresWiFi
    /// The app's files cannot be read while the phone is locked.
    case protectedFiles
    /// After a long absence, work of all apps is due at once, so launches are held back.
    case herd
    /// The day's energy budget does not cover the work.
    case energyBudget
    /// The day's budget of bytes over cellular does not cover the work.
    case cellularBudget

    /// The first rule for which a condition is true.
    ///
    /// The cases are written out, so that the compiler specialises the condition for each rule.
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

    /// Number of rules.
    static var count: Int { Int(SystemRule.cellularBudget.rawValue) + 1 }

    /// Stages in the life of a piece of work at which a rule is checked.
    public struct Stages: OptionSet, Sendable {
        /// One bit per stage.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// When the work is requested; the request is then refused or dropped.
        public static let submission = Stages(rawValue: 1 << 0)
        /// When the work could start, independent of the properties of its request.
        public static let launch = Stages(rawValue: 1 << 1)
        /// When the work could start, depending on the properties of its request.
        public static let request = Stages(rawValue: 1 << 2)
        /// Last of all, before a launch is charged to the budgets.
        public static let allowance = Stages(rawValue: 1 << 3)
    }

    /// The facts of a rule.
    public struct Facts: Sendable {
        /// Name of the rule in tables, and the words of `flotsam why`.
        public var text: RuleText
        /// Name of the policy under which dasd logs the rule.
        public var logName: String
        /// Weight of the rule in the logs.
        public var weight: Double
        /// The condition in the notation of the logs.
        public var rationale: String
        /// Answer of the rule in the logs.
        public var answer: PolicyAnswer
        /// The kinds of work to which the rule applies.
        public var kinds: BackgroundKinds
        /// The stages at which the rule is checked.
        public var stages: Stages
        /// The changes of the device that lift the rule; none if only time or the user lifts it.
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
