// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import ConfigText
import Diagnostics
import PhoneCore
import Processes
import Quantities
import Vocabulary
import Workload

/// Warnings, before any run, about an app's declarations that cannot work.
extension ExperimentLoader {
    /// Warns of declarations that have no effect on this phone.
    ///
    /// Reports an error for declarations that this user's apps cannot fulfil.
    func checkOwnApp(_ app: AppModel, _ root: Node, _ device: DeviceModel, _ user: UserSection) {
        guard let value = root["app"], let tree = wholeOwnApp(Cursor(value, path: "app", report: report)) else {
            return
        }
        let check = OwnAppCheck(app: app, tree: tree, report: report)
        check.opens(user)
        check.refresh(device)
        check.processing(device)
        check.pushes(device)
        check.memory(device)
        check.declarations(device)
    }
}

extension ExperimentLoader {
    /// Largest number of catalogue apps that warnings name.
    private static let namedApps = 5
    private static let further =
        "\(namedApps) apps of the catalogue have declarations that cannot work; further apps were not checked"

    /// Warns of catalogue apps whose declarations cannot work.
    ///
    /// Only two groups are checked: apps that declare less than they could, and apps with settings in the experiment.
    func checkCatalogue(_ apps: [AppModel], _ section: Cursor, _ device: DeviceModel) {
        let tree = wholeSection("apps", section)
        var warned = 0
        guard !report.problems.list.contains(where: { $0.message == Self.further }) else { return }
        for app in apps where app.declares != AppDeclarations() || Self.entry(of: app, in: section.node) != nil {
            // A declaration may be in the entry of the app, of its category, or of all apps.
            let node = Self.entry(of: app, in: tree) ?? tree["categories"]?[app.category] ?? tree["defaults"] ?? tree
            let check = OwnAppCheck(app: app, tree: node, report: report, isNamed: true)
            guard warned < Self.namedApps else { return check.remark([], Self.further, hint: "fix these first") }
            let before = report.problems.count
            check.declarations(device)
            if report.problems.count > before { warned += 1 }
        }
    }

    /// Entry of an app in a tree of apps; nil if there is none.
    private static func entry(of app: AppModel, in tree: Node) -> Node? {
        tree["apps"]?[app.name] ?? tree.items?.first { $0["name"]?.scalar == app.name }
    }
}

struct OwnAppCheck {
    let app: AppModel
    let tree: Node
    let report: ConfigReport
    /// Whether messages begin with the app's name, which is needed if there are several apps.
    var isNamed = false

    /// Reports a problem with a key once, even if it occurs at several sweep points.
    func remark(
        _ path: [String], _ message: String, hint: String, severity: Diagnostic.Severity = .warning
    ) {
        let node = tree.at(path) ?? tree.at(Array(path.prefix(1))) ?? tree
        let problem = node.location.problem(
            isNamed && !path.isEmpty ? "\(app.name): \(message)" : message, hint: hint, severity: severity)
        if !report.problems.list.contains(where: { $0.message == problem.message }) { report.add(problem) }
    }

    func opens(_ user: UserSection) {
        guard app.opensPerDay > 0 || app.opensShare > 0 else { return }
        if user.recording != nil {
            remark(
                ["opened"], "the recording determines when apps are opened",
                hint: "leave out either \"opened\" or the trace",
                severity: .error)
        }
        guard let persona = user.persona else { return }
        let most = StatedOpens.most(for: persona)
        guard app.opensPerDay > most else { return }
        remark(
            ["opened"],
            "this user visits apps \(UnitText.plain((2 * most).rounded())) times a day, but one app can have at most "
                + "half of the visits", hint: "set opened to at most \(UnitText.plain(most.rounded(.down))) / d",
            severity: .error)
    }

    func refresh(_ device: DeviceModel) {
        let rules = device.background
        guard app.refreshPeriod > .zero else {
            if tree["refresh"] != nil {
                remark(
                    ["refresh"], "the app never requests a refresh", hint: "set every: 1 h, or leave out \"refresh\"")
            }
            return
        }
        if !rules.refreshSwitch {
            remark(
                ["refresh"], "Background App Refresh is off on this phone",
                hint: "set device.background.refresh_switch to true")
        } else if !app.refreshEnabled {
            remark(
                ["refresh", "enabled"], "no refresh will run, because enabled is false",
                hint: "set enabled to true")
        }
        let need = app.refreshProcessorTime + app.refreshWait
        if need > rules.refreshLimit {
            remark(
                ["refresh"],
                "no refresh will complete: the limit is \(time(rules.refreshLimit)), but processor time and waiting "
                    + "alone need \(time(need))", hint: "do less in one refresh, or request processing")
        }
        if app.resubmitProbability == 0 {
            remark(
                ["refresh", "resubmits"], "only one refresh runs, because no refresh requests the next one",
                hint: "at the start of every refresh, request the next one")
        }
    }

    func processing(_ device: DeviceModel) {
        let asks = app.processingPerDay > 0 || app.processingPeriod > .zero
        guard asks else {
            if tree["processing"] != nil {
                remark(
                    ["processing"], "the app never requests processing", hint: "set per_day: 1, or every: 1 d")
            }
            return
        }
        let limit = device.background.processingLimit
        if app.processingTime > limit {
            remark(
                ["processing", "time"],
                "no processing task will complete: the limit is \(time(limit)), but the task needs "
                    + time(app.processingTime), hint: "save the progress, and continue in the next task")
        }
    }

    func pushes(_ device: DeviceModel) {
        let rules = device.background.pushes
        let most = Double(rules.perWindow) * (SimDuration.day / rules.window)
        guard app.traits.silentPushesPerDay > most else { return }
        remark(
            ["pushes", "silent_per_day"],
            "the system delivers at most \(UnitText.plain(most.rounded(.down))) of the "
                + "\(UnitText.plain(app.traits.silentPushesPerDay)) silent pushes a day",
            hint: "the limit is \(rules.perWindow) in \(time(rules.window)); send fewer, or send alerts")
    }

    func memory(_ device: DeviceModel) {
        let limit = device.memory.perProcessLimit
        guard app.foregroundFootprint >= limit else { return }
        remark(
            ["footprint"],
            "the app is killed on screen: the limit here is \(size(limit)), but the app needs "
                + size(app.foregroundFootprint), hint: "use a smaller footprint, or another device")
    }

    private func time(_ length: SimDuration) -> String { UnitText.format(length.seconds, as: .time) }

    private func size(_ bytes: ByteCount) -> String { UnitText.format(Double(bytes.bytes), as: .bytes) }
}
