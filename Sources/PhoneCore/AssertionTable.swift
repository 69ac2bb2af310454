// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Vocabulary

/// Reason for which an app executes in the background.
///
/// Reasons used in several files are here; a behaviour can declare its own reason in its file. A test checks that all
/// numbers are different.
package struct AssertionReason: Equatable, BitwiseCopyable {
    private let number: UInt8
    /// Whether the app plays sound, which puts it into the audio band.
    let isHeard: Bool

    package init(_ number: UInt8, isHeard: Bool = false) {
        self.number = number
        self.isHeard = isHeard
    }

    /// A refresh or a processing task.
    package static var task: AssertionReason { AssertionReason(0) }
    /// An event: a push, a movement, an accessory, completed transfers.
    package static var event: AssertionReason { AssertionReason(1) }
    /// A call.
    package static var call: AssertionReason { AssertionReason(2, isHeard: true) }
    /// Music or navigation that continues after the user left the app.
    package static var playback: AssertionReason { AssertionReason(3, isHeard: true) }
    /// A task that the user began and that continues after the visit.
    package static var continued: AssertionReason { AssertionReason(4) }
    /// The app comes to the screen; the assertion prevents a suspension while the background work of the app ends.
    package static var opening: AssertionReason { AssertionReason(5) }

    @inline(__always)
    package static func == (left: AssertionReason, right: AssertionReason) -> Bool { left.number == right.number }
}

/// Identifier of an assertion; releasing it twice, or after its process ended, does nothing.
package struct Assertion: Equatable, BitwiseCopyable {
    var index: Int32
    var generation: UInt32

    /// The value for no assertion.
    package static let none = Assertion(index: -1, generation: 0)
}

/// All assertions of apps that execute in the background, with the load of each on the phone.
///
/// The entries are in one array, with a linked list for each app. After the array has grown to the size that a run
/// needs, nothing is allocated.
package struct AssertionTable {
    struct Entry: BitwiseCopyable {
        var app = AppID.system
        var reason = AssertionReason.task
        var holdsAwake = false
        var load = LoadHandle.none
        var parts = ActivityLoads.none
        var generation: UInt32 = 0
        var isHeld = false
        /// The next entry of this app, or the next free entry; -1 at the end.
        var next: Int32 = -1
    }

    private(set) var entries: [Entry] = []
    private var heads: [Int32]
    private var free: Int32 = -1
    /// Apps with a running task, in the order of their start.
    package private(set) var tasks: [AppID] = []

    init(apps: Int) { heads = Array(repeating: -1, count: apps) }

    /// Whether an app has any assertion.
    @inline(__always)
    package func holdsAny(_ app: AppID) -> Bool { heads[Int(app.index)] >= 0 }

    /// Whether an app has an assertion for this reason.
    package func holds(_ app: AppID, _ reason: AssertionReason) -> Bool {
        var index = heads[Int(app.index)]
        while index >= 0 {
            if entries[Int(index)].reason == reason { return true }
            index = entries[Int(index)].next
        }
        return false
    }

    /// Whether an app has an assertion with sound.
    package func isHeard(_ app: AppID) -> Bool {
        var index = heads[Int(app.index)]
        while index >= 0 {
            if entries[Int(index)].reason.isHeard { return true }
            index = entries[Int(index)].next
        }
        return false
    }

    /// Whether one of an app's assertions keeps the phone awake.
    func keepsAwake(_ app: AppID) -> Bool {
        var index = heads[Int(app.index)]
        while index >= 0 {
            if entries[Int(index)].holdsAwake { return true }
            index = entries[Int(index)].next
        }
        return false
    }

    /// The first assertion in an app's list.
    func first(of app: AppID) -> Assertion? {
        let index = heads[Int(app.index)]
        return index < 0 ? nil : Assertion(index: index, generation: entries[Int(index)].generation)
    }

    func isHeld(_ assertion: Assertion) -> Bool {
        assertion.index >= 0 && entries[Int(assertion.index)].generation == assertion.generation
            && entries[Int(assertion.index)].isHeld
    }

    subscript(_ assertion: Assertion) -> Entry {
        get { entries[Int(assertion.index)] }
        set { entries[Int(assertion.index)] = newValue }
    }

    mutating func insert(_ app: AppID, _ reason: AssertionReason) -> Assertion {
        if free < 0 {
            free = Int32(entries.count)
            entries.append(Entry())
        }
        let index = free
        free = entries[Int(index)].next
        entries[Int(index)].app = app
        entries[Int(index)].reason = reason
        entries[Int(index)].isHeld = true
        entries[Int(index)].next = heads[Int(app.index)]
        heads[Int(app.index)] = index
        if reason == .task { tasks.append(app) }
        return Assertion(index: index, generation: entries[Int(index)].generation)
    }

    /// Removes a held assertion from the table and returns its entry.
    mutating func remove(_ assertion: Assertion) -> Entry {
        let entry = entries[Int(assertion.index)]
        let app = Int(entry.app.index)
        if heads[app] == assertion.index {
            heads[app] = entry.next
        } else {
            var before = heads[app]
            while entries[Int(before)].next != assertion.index { before = entries[Int(before)].next }
            entries[Int(before)].next = entry.next
        }
        var empty = Entry()
        empty.generation = entry.generation &+ 1
        empty.next = free
        entries[Int(assertion.index)] = empty
        free = assertion.index
        if entry.reason == .task { tasks.removeAll { $0 == entry.app } }
        return entry
    }
}
