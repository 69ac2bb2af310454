// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The account of every joule, booked once by component and cause and once by app and scope.
///
/// Both tables have the same sum.
///
/// A load on the processor includes a share for the main memory; this share is booked to the memory.
struct Ledger: ~Copyable {
    /// Number of columns: a power of two, at least the number of causes.
    private static let causes = 16
    private static let scopes = 4
    private static let cells = 16 * causes
    /// Number of rows, one more than the apps: row 0 is the system.
    private let rows: Int
    private let byComponent: UnsafeMutablePointer<Double>
    private let byApp: UnsafeMutablePointer<Double>
    private let memoryPart: Double
    /// Row of the app whose energy is also kept by component; -1 if there is none.
    private let watchedRow: Int
    /// Energy of the watched app by component and scope.
    private let watched: UnsafeMutablePointer<Double>

    init(apps: Int, memoryPart: Double = 0, watched app: AppID? = nil) {
        self.memoryPart = memoryPart
        watchedRow = app.map { Int($0.index) + 1 } ?? -1
        watched = .allocate(capacity: 16 * Self.scopes)
        watched.initialize(repeating: 0, count: 16 * Self.scopes)
        guard Cause.allCases.count <= Self.causes && Component.allCases.count <= 16 else {
            fatalError("the ledger has too few entries for the causes or the components")
        }
        rows = apps + 1
        byComponent = .allocate(capacity: Self.cells)
        byComponent.initialize(repeating: 0, count: Self.cells)
        byApp = .allocate(capacity: rows * Self.scopes)
        byApp.initialize(repeating: 0, count: rows * Self.scopes)
    }

    init(copying other: borrowing Ledger) {
        rows = other.rows
        memoryPart = other.memoryPart
        watchedRow = other.watchedRow
        watched = .allocate(capacity: 16 * Self.scopes)
        watched.initialize(from: other.watched, count: 16 * Self.scopes)
        byComponent = .allocate(capacity: Self.cells)
        byComponent.initialize(from: other.byComponent, count: Self.cells)
        byApp = .allocate(capacity: rows * Self.scopes)
        byApp.initialize(from: other.byApp, count: rows * Self.scopes)
    }

    deinit {
        watched.deallocate()
        byComponent.deallocate()
        byApp.deallocate()
    }

    @inline(__always)
    func book(_ joules: Double, _ component: Component, _ cause: Cause, _ scope: Scope, _ app: AppID) {
        let row = Int(app.index) + 1
        guard row >= 0 && row < rows else { fatalError("energy was booked to an app outside the run's table") }
        var own = joules
        if component.rawValue == Component.processor.rawValue {
            let memory = joules * memoryPart
            byComponent[Int(Component.memory.rawValue) * Self.causes + Int(cause.rawValue)] += memory
            own -= memory
        }
        byComponent[Int(component.rawValue) * Self.causes + Int(cause.rawValue)] += own
        byApp[row * Self.scopes + Int(scope.rawValue)] += joules
        if row == watchedRow { bookWatched(joules, own, component, scope) }
    }

    /// Books energy of the watched app by component: `own` to the component, the rest of `joules` to the memory.
    @inline(never)
    private func bookWatched(_ joules: Double, _ own: Double, _ component: Component, _ scope: Scope) {
        watched[Int(component.rawValue) * Self.scopes + Int(scope.rawValue)] += own
        watched[Int(Component.memory.rawValue) * Self.scopes + Int(scope.rawValue)] += joules - own
    }

    /// Energy booked to the watched app for a component.
    func watchedJoules(_ component: Component, _ scope: Scope) -> Double {
        watched[Int(component.rawValue) * Self.scopes + Int(scope.rawValue)]
    }

    var apps: Int { rows - 1 }

    func joules(_ component: Component, _ cause: Cause) -> Double {
        byComponent[Int(component.rawValue) * Self.causes + Int(cause.rawValue)]
    }

    func joules(_ app: AppID, _ scope: Scope) -> Double {
        guard Int(app.index) + 1 < rows else {
            fatalError("the energy of an app outside the run's table was requested")
        }
        return byApp[(Int(app.index) + 1) * Self.scopes + Int(scope.rawValue)]
    }

    var total: Double {
        var sum = 0.0
        for cell in 0..<Self.cells { sum += byComponent[cell] }
        return sum
    }

    var appTotal: Double {
        var sum = 0.0
        for cell in 0..<(rows * Self.scopes) { sum += byApp[cell] }
        return sum
    }
}
