// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension AppTimer {
    /// A widget requests a reload.
    @inlinable public static var widget: AppTimer { AppTimer(21) }
}

/// Widgets, each of which a short-lived extension draws.
///
/// The extension neither launches the app nor keeps it alive.
package struct Widgets {
    /// Measures of widgets.
    package struct Measures: Sendable {
        let reloads: AppCount
        let widgets: AppGauge

        package init(_ builder: inout MeasureBuilder) {
            let (reloads, widgets) = (builder.appCount(), builder.appGauge())
            (self.reloads, self.widgets) = (reloads, widgets)
            builder.appMetric(
                "widget_reloads_per_day", "1/d", .neutral,
                "reloads per widget, as the mean over all widgets that the user keeps"
            ) { $0[reloads] / $0.atEnd(widgets) / $0.days }
        }
    }

    private let measures: Measures
    private var budgets: [WidgetBudget]

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        budgets = Array(repeating: WidgetBudget(core.device.background.widgets), count: core.apps.count)
    }

    /// Schedules the first reload of each widget, spread over one interval.
    package func start(_ core: inout PhoneCore) {
        core.measures.set(measures.widgets, Double(core.apps.filter(\.traits.hasWidget).count))
        for index in core.apps.indices where core.apps[index].traits.hasWidget {
            core.measures.set(measures.widgets, of: AppID(index), 1)
            var stream = core.stream(core.apps[index].name, "widget")
            let first = core.device.background.widgets.every * stream.uniform()
            core.engine.schedule(Slots.app(AppID(index), .widget), after: first, class: EventClass.work)
        }
    }

    /// Reloads a widget on its request, if its budget allows it and the user may see the widget.
    package mutating func timer(_ app: AppID, _ core: inout PhoneCore) {
        let now = core.now
        let figures = core.device.background.widgets
        core.engine.schedule(Slots.app(app, .widget), after: figures.every, class: EventClass.work)
        guard !core.power.isDead, core.hasApp(app) else { return }
        guard core.conditions.screenOn || now - core.conditions.lockedSince < figures.unseenAfter else { return }
        // The reload is free while the app is in the foreground, plays or navigates (Apple, "Keeping a widget up to
        // date").
        let isFree = app == core.front.app || core.assertions.holds(app, .playback)
        guard isFree || budgets[Int(app.index)].spendReload(figures, at: now) else { return }
        core.measures.add(measures.reloads, of: app)
        core.book.day(app) { $0.widgetReloads += 1 }
        if core.apps[Int(app.index)].traits.has(.widget) { core.post(.processNeeded(app, .widget)) }
        core.power.wakeBriefly(app: app, cause: .backgroundTask, at: now)
        let plan = core.power.processor
        let energy = plan.workPower * plan.duration(ofWork: figures.processorTime)
        core.power.addEnergy(.processor, energy, app: app, cause: .backgroundTask, at: now)
        guard figures.bytes > .zero else { return }
        core.transfer(down: figures.bytes, up: PhoneCore.requestBytes, app, .backgroundTask)
    }
}
