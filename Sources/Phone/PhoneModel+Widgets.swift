import Background
import EventKernel
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

// A widget is drawn by an extension that lives for a moment: it neither launches its app nor holds it.
extension PhoneModel {
    /// Enters the first reload of each widget, spread over the time between two.
    mutating func startWidgets() {
        for index in apps.indices where apps[index].traits.hasWidget {
            var stream = specification.stream(apps[index].name, "widget")
            let first = device.background.widgets.every * stream.uniform()
            agenda.add(.widget, AppID(index), at: .zero + first)
        }
    }

    /// A widget asks to be reloaded: it is, if its budget allows and somebody may look at it.
    mutating func reloadWidget(of app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        let figures = device.background.widgets
        agenda.add(.widget, app, at: now + figures.every)
        guard !power.isDead else { return }
        guard conditions.screenOn || now - conditions.lockedSince < figures.unseenAfter else { return }
        // Free of charge while the app is in front or plays or navigates (Apple, "Keeping a widget up to date").
        let isFree = app == foreground || continuesUntil(app) != nil
        guard isFree || widgetBudgets[index].take(figures, at: now) else { return }
        counts.widgetReloads += 1
        if tables.contains(.appDays) { dayRows[index].widgetReloads += 1 }
        power.wakeBriefly(app: app, cause: .backgroundTask, at: now)
        let energy = power.processor.workPower * power.processor.duration(ofWork: figures.processorTime)
        power.addEnergy(.processor, energy, app: app, cause: .backgroundTask, at: now)
        guard figures.bytes > .zero, let interface = power.interface else { return }
        _ = power.beginTransfer(
            interface, down: figures.bytes, up: Self.requestBytes, app: app, cause: .backgroundTask, at: now)
        countBytes(figures.bytes + Self.requestBytes, interface)
    }
}
