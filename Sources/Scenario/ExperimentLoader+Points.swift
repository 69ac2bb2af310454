// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import PhoneCore
import Power
import Quantities
import Vocabulary
import Workload

/// Reads device, apps and user for each sweep point of an experiment.
extension ExperimentLoader {
    /// Reads the points of a sweep, and reports the problems of all points.
    func readPoints(_ points: [[Sweep.Setting]], time: TimeFrame, policies: [PolicyPair]) -> [SweepPoint] {
        var seen: Set<String> = []
        return points.enumerated().compactMap { index, settings in
            switch Sweep.apply(keptSettings(index).map { settings.laidOut($0) } ?? settings, to: root) {
            case .success(let node):
                guard let point = readPoint(index, node, settings, time: time, policies: policies) else { return nil }
                if let last = settings.last, !seen.insert(point.resolvedText).inserted {
                    report.add(
                        last.value.location.problem(
                            "this point of the sweep is the same as an earlier one", hint: "leave one of them out"))
                }
                return point
            case .failure(let problems):
                report.add(problems)
                return nil
            }
        }
    }

    /// Expanded values of a point's settings, if the manifest contains them.
    private func keptSettings(_ point: Int) -> [Node]? {
        guard let kept, kept.settings.indices.contains(point) else { return nil }
        return kept.settings[point]
    }

    /// Values of a point's settings for a tree with expanded models; null for a setting that needs no expansion.
    ///
    /// A map is merged into the values of the model. If a setting sets another base, the other keys are merged into the
    /// values of this base.
    private func laidOut(_ settings: [Sweep.Setting], in node: Node) -> [Node] {
        settings.map { setting in
            let path = setting.laidOutPath
            if path == ["apps", "catalog"] { return setting.value }
            // All settings of `apps` except the catalogue are kept separately from it.
            guard setting.value.entries != nil || path.count < setting.keys.count, path[0] != "apps",
                let section = node[path[0]].map({ Cursor($0, path: path[0], report: report) }),
                let whole = repeatedSection(path[0], section).at(Array(path.dropFirst())), whole.entries != nil
            else { return Node(.scalar("", quoted: false), at: setting.location) }
            return whole
        }
    }

    private func readPoint(
        _ index: Int, _ node: Node, _ settings: [Sweep.Setting], time: TimeFrame, policies: [PolicyPair]
    ) -> SweepPoint? {
        let sections = Sweep.roots.map { key in
            node[key].flatMap { $0.isNull ? nil : Cursor($0, path: key, report: report) }
        }
        // For apps, only their number is recorded, because each app has dozens of values.
        let tells = recordsValues && index == 0
        let device = report.recording(tells) { sections[0].flatMap(readDevice) }
        let selection = sections[1].flatMap(readApps)
        let habits = report.recording(tells) { sections[2].flatMap { readUser($0) } }
        guard let device, var selection, let habits,
            let drawn = sections[0].flatMap({ drawPhones($0, point: index) })
        else { return nil }
        // The apps that the experiment adds determine which apps of the catalogue are used, so an equal tree is not
        // sufficient.
        let added = selection.catalogue.own.map(\.name)
        guard let own = readOwnApp(node, beside: selection.catalogue) else { return nil }
        selection.catalogue.own += own.apps
        guard let policies = tuned(policies, by: settings) else { return nil }
        sections[0].map { checkTail(of: device, policies, $0) }
        sections[2].map { checkAmbient($0, device) }
        let wholes = zip(Sweep.roots, sections).map { key, section in
            (key, section.map { wholeSection(key, $0) } ?? Node("", at: node.location))
        }
        let app = own.tree.map { [("app", $0)] } ?? []
        let others = added.isEmpty ? [] : [("added", Node(added, at: node.location))]
        let key = Node(wholes.dropFirst() + app + others, at: node.location).canonical
        let choice = AppChoice(catalogue: selection.catalogue, count: selection.count)
        let apps = appLists[key] ?? choice.apps(of: habits.persona)
        report.recording(tells) { report.record(value: "count", of: "apps", "\(apps.count)") }
        own.apps.forEach { checkOwnApp($0, node, device, habits) }
        sections[1].map { checkCatalogue(apps.filter { !$0.isStudied }, $0, device) }
        appLists[key] = apps
        guard let user = finish(habits, apps: apps, key: key, time: time, policies: policies) else { return nil }
        let doubts = SweepPoint.tree(drawn.doubts, at: node.location).map { [("uncertainty", $0)] } ?? []
        let rest =
            [
                ("count", "\(apps.count)"), ("recording", habits.checksum), ("start", time.start.text),
                ("duration_ns", "\(time.duration.nanoseconds)"), ("warmup_ns", "\(time.warmup.nanoseconds)"),
            ].map { ($0, Node($1, at: node.location)) } + pastText(time, at: node.location)
        let parameters = settings.filter(\.isOfPolicies).map { ($0.path, Node($0.value.label, at: node.location)) }
        let swept = parameters.isEmpty ? [] : [(Sweep.policies, Node(parameters, at: node.location))]
        let whole = Node(wholes + app + doubts + others + rest + swept, at: node.location)
        return SweepPoint(
            axes: settings.map { SweepPoint.Axis(path: $0.path, value: $0.value.label) }, device: device, apps: apps,
            user: user, people: habits.people, doubts: drawn.doubts, samples: drawn.devices, choice: choice,
            settings: laidOut(settings, in: node), policies: swept.isEmpty ? nil : policies,
            resolvedText: whole.canonical)
    }

    /// The common past of all runs; empty if there is none.
    private func pastText(_ time: TimeFrame, at location: Node.Location) -> [(String, Node)] {
        guard let past, let from = time.policiesFrom else { return [] }
        let words = ["\(from.nanoseconds)", past.writtenName] + past.choices.map { "\($0.checksum)" }
        return [("past", Node(words, at: location))]
    }

    func readDevice(_ cursor: Cursor) -> DeviceModel? {
        guard let whole = trees.whole(cursor, .devices) else { return nil }
        let key = whole.canonical
        if let known = devices[key] { return known }
        let device = DeviceReader(trees: trees).read(Cursor(whole, path: cursor.path, report: report))
        devices[key] = device
        return device
    }

    /// Reports policies that need the radio's tail, if the device has no radio with a tail.
    private func checkTail(of device: DeviceModel, _ policies: [PolicyPair], _ cursor: Cursor) {
        guard Interface.allCases.allSatisfy({ device.power.radios[$0].tail.isEmpty }) else { return }
        for pair in policies where pair.needs.contains(.radioTail) {
            cursor.fail(
                "the policy \"\(pair.name)\" needs a radio with a tail, which this device lacks",
                hint: "give radios.cellular a tail such as [{power: 1.06 W, duration: 10 s}]")
        }
    }

    private func readApps(_ cursor: Cursor) -> AppCatalogueReader.Selection? {
        guard let whole = trees.whole(cursor, .apps) else { return nil }
        let base = trees.base(of: cursor, .apps)
        let key = whole.canonical + (base?["apps"]?.entries ?? []).map { "\n" + $0.key }.joined()
        if let known = catalogues[key] { return known }
        let selection = AppCatalogueReader.read(Cursor(whole, path: cursor.path, report: report), base: base)
        catalogues[key] = selection
        return selection
    }

    func readPersona(_ cursor: Cursor) -> Persona? {
        guard let whole = trees.whole(cursor, .personas) else { return nil }
        let key = whole.canonical
        if let known = personas[key] { return known }
        let persona = PersonaReader.read(Cursor(whole, path: cursor.path, report: report))
        personas[key] = persona
        return persona
    }

    /// Section in a form that can be read again.
    ///
    /// Models are expanded; added apps stay separate from the catalogue.
    func repeatedSection(_ key: String, _ cursor: Cursor) -> Node {
        switch key {
        case "apps":
            guard let base = trees.base(of: cursor, .apps) else { return cursor.node }
            let catalog = Node.Entry(key: "catalog", location: base.location, value: base)
            let own = cursor.node.without("catalog").without("base").entries ?? []
            return Node(.map([catalog] + own), at: cursor.node.location)
        case "user" where cursor.node["population"] != nil:
            let size = (cursor.node.entries ?? []).filter { $0.key == "size" }
            return Node(.map((wholeSection(key, cursor).entries ?? []) + size), at: cursor.node.location)
        default: return wholeSection(key, cursor)
        }
    }

    /// Section with its models expanded and other values unchanged.
    func wholeSection(_ key: String, _ cursor: Cursor) -> Node {
        switch key {
        case "device":
            guard let whole = trees.whole(cursor, .devices) else { return cursor.node }
            return wholeParts(of: whole, cursor)
        case "apps": return trees.whole(cursor, .apps) ?? cursor.node
        case "app": return wholeOwnApp(cursor) ?? cursor.node
        case "user" where cursor.node["population"] != nil: return wholePopulation(cursor)
        case "user":
            guard let persona = cursor.node["persona"],
                let whole = trees.whole(cursor.child(persona, key: "persona"), .personas)
            else { return cursor.node }
            return replacing(cursor.node, ["persona"], wholeCharger(of: whole, cursor))
        default: return cursor.node
        }
    }

    /// Population with its persona expanded.
    ///
    /// The size is omitted, because person k is equal in populations of all sizes. Runs can then be reused when the
    /// population grows.
    private func wholePopulation(_ user: Cursor) -> Node {
        guard let named = user.node["population"],
            let whole = trees.whole(user.child(named, key: "population"), .populations)
        else { return user.node }
        let node = user.node.without("size")
        guard let persona = whole["persona"], !persona.isNull,
            let base = trees.whole(Cursor(persona, path: user.path, report: report), .personas)
        else { return replacing(node, ["population"], whole) }
        return replacing(node, ["population"], replacing(whole, ["persona"], wholeCharger(of: base, user)))
    }

    /// Device with its radios, its cell and its processor expanded.
    private func wholeParts(of device: Node, _ cursor: Cursor) -> Node {
        let names = Interface.allCases.map(\.name) + ["fallback"]
        let radios = names.map { (["radios", $0], ModelLibrary.Kind.radios) }
        let parts = radios + [(["battery", "cell"], .cells), (["processor"], .processors)]
        return parts.reduce(device) { node, part in
            guard let value = node.at(part.0), !value.isNull,
                let whole = trees.whole(Cursor(value, path: cursor.path, report: report), part.1)
            else { return node }
            return replacing(node, part.0, whole)
        }
    }

    /// Persona with its charger expanded.
    private func wholeCharger(of persona: Node, _ cursor: Cursor) -> Node {
        let path = ["charging", "charger"]
        guard let value = persona.at(path), !value.isNull,
            let whole = trees.whole(Cursor(value, path: cursor.path, report: report), .chargers)
        else { return persona }
        return replacing(persona, path, whole)
    }

    private func replacing(_ node: Node, _ path: [String], _ value: Node) -> Node {
        switch node.setting(path, to: value, at: node.location) {
        case .success(let changed): changed
        case .failure: node
        }
    }
}
