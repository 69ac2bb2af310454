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
    /// The app has bytes to transfer.
    @inlinable public static var wantTransfer: AppTimer { AppTimer(18) }
    /// A transfer may begin, or its time limit is reached.
    @inlinable public static var transferDue: AppTimer { AppTimer(19) }
    /// A piece of a transfer has been moved.
    @inlinable public static var transferPiece: AppTimer { AppTimer(20) }
}

/// Background transfers.
///
/// A daemon moves the bytes, and notifies the app when all bytes have been moved.
///
/// Source: Apple, "Downloading files in the background".
package struct Transfers {
    /// The piece of an app's transfers that is being moved.
    private struct Piece {
        var down = ByteCount.zero
        var up = ByteCount.zero
        /// The radio that carries the piece; nil if no piece is being moved.
        var interface: Interface?
        var holdsAwake = false
    }

    /// Record of an app's transfers since the first piece began.
    private struct Trip {
        var began = SimTime.distantFuture
        var start = WorkStart()
        /// Bytes moved so far, by radio.
        var bytes = RadioTable<Int64>(0)
    }

    /// Measures of transfers.
    package struct Measures: Sendable {
        let done: AppCount
        let delay: AppDistribution

        package init(_ builder: inout MeasureBuilder) {
            done = builder.perDayOfApp(
                "transfers_per_day", .neutral, "background transfers that the system's daemon completed")
            delay = builder.appDistribution()
            builder.quantile(
                "transfer_delay_s_p95", "s", .lower,
                "95th percentile of the time from the submission of a transfer to its end (to within 1 %)", 0.95,
                of: delay)
        }
    }

    private let measures: Measures
    /// All transfers, and for each app the piece and the trip in progress.
    private var table: TransferTable
    private var pieces: [Piece]
    private var trips: [Trip]
    /// For each app, the number of transfers that it has not handed over yet.
    private var wanted: [Int]
    private var streams: [RandomStream]
    /// Apps whose transfers wait for a change of the phone.
    private var waiting: [AppID] = []
    private var moving: [AppID] = []
    /// Buffer for the apps that are checked again.
    private var woken: [AppID] = []

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        table = TransferTable(apps: core.apps.count, parameters: core.device.background.transfers)
        pieces = Array(repeating: Piece(), count: core.apps.count)
        trips = Array(repeating: Trip(), count: core.apps.count)
        wanted = Array(repeating: 0, count: core.apps.count)
        streams = core.streams("transfers")
    }

    /// Schedules the next time at which an app has bytes to transfer.
    package mutating func start(_ app: AppID, _ core: inout PhoneCore) {
        let rate = core.apps[Int(app.index)].traits.transfersPerDay
        guard rate > 0 else { return }
        let gap = SimDuration.days(streams[Int(app.index)].exponential(mean: 1 / rate))
        core.engine.schedule(Slots.app(app, .wantTransfer), after: gap, class: EventClass.work)
    }

    /// Records a transfer, which the app hands over when it runs next.
    package mutating func wantTimer(_ app: AppID, _ core: inout PhoneCore) {
        start(app, &core)
        wanted[Int(app.index)] += 1
        if core.processes.state(of: app).executes { submit(app, &core) }
    }

    /// Hands over the transfers of a running app.
    package mutating func submit(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard wanted[index] > 0, core.processes.isAlive(app) else { return }
        let traits = core.apps[index].traits
        let count = wanted[index]
        let bytes = traits.transferBytes * Double(count)
        wanted[index] = 0
        let up = bytes * traits.transferUpShare
        table.add(
            app, count: count, down: bytes - up, up: up, isDiscretionary: traits.transferIsDiscretionary,
            inBackground: !core.processes.state(of: app).isForeground, at: core.now)
        consider(app, &core)
    }

    /// Begins the next piece of the app's transfers, or finds the change or instant for which they wait.
    ///
    /// At their time limit, transfers are given up, even in the middle of a piece.
    package mutating func consider(_ app: AppID, _ core: inout PhoneCore) {
        let now = core.now
        guard table.isActive(app) else { return }
        let session = table.session(of: app)
        let end = session.since + core.device.background.transfers.life
        let isMoving = pieces[Int(app.index)].interface != nil
        guard now < end else {
            if isMoving { losePiece(app, &core) }
            return finish(app, .never, &core)
        }
        let next = session.notBefore > now ? min(session.notBefore, end) : end
        core.engine.schedule(Slots.app(app, .transferDue), at: next, class: EventClass.work)
        guard !isMoving, session.notBefore <= now else { return }
        let rule = core.background.ruleAgainstTransfer(
            of: app, isDiscretionary: session.isDiscretionary, device: core.conditions, at: now)
        guard !core.power.isDead, rule == nil, let interface = core.power.interface else {
            if !waiting.contains(app) { waiting.append(app) }
            return
        }
        beginPiece(app, interface, &core)
    }

    private mutating func beginPiece(_ app: AppID, _ interface: Interface, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let piece = table.piece(of: app)
        pieces[index].down = piece.down
        pieces[index].up = piece.up
        pieces[index].interface = interface
        if !moving.contains(app) { moving.append(app) }
        if trips[index].began == .distantFuture {
            trips[index].began = core.now
            trips[index].start = core.workStart(of: app)
        }
        if !pieces[index].holdsAwake {
            core.power.holdAwake(app: app, cause: .transfer, at: core.now)
            pieces[index].holdsAwake = true
        }
        let done = core.transfer(down: piece.down, up: piece.up, app, .transfer)
        core.engine.schedule(Slots.app(app, .transferPiece), at: done, class: EventClass.work)
    }

    /// Handles a piece that has been moved.
    package mutating func pieceTimer(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard let interface = pieces[index].interface else { return }
        pieces[index].interface = nil
        let bytes = (pieces[index].down + pieces[index].up).bytes
        trips[index].bytes[interface] += bytes
        let isLast = table.moved(app, (pieces[index].down, pieces[index].up))
        if !core.keepWork(pieces[index].down, of: app) {
            finish(app, .failed, &core)
        } else if isLast {
            finish(app, .success, &core)
        } else {
            consider(app, &core)
        }
        letSleep(index, &core)
    }

    /// Drops the piece on a lost radio; the piece starts again when there is a radio.
    package mutating func networkChanged(_ core: inout PhoneCore) {
        for app in moving {
            let interface = pieces[Int(app.index)].interface
            guard interface != nil, core.power.isDead || interface != core.power.interface else { continue }
            losePiece(app, &core)
            consider(app, &core)
        }
    }

    private mutating func losePiece(_ app: AppID, _ core: inout PhoneCore) {
        pieces[Int(app.index)].interface = nil
        core.engine.cancel(Slots.app(app, .transferPiece))
        letSleep(Int(app.index), &core)
    }

    private mutating func letSleep(_ index: Int, _ core: inout PhoneCore) {
        guard pieces[index].holdsAwake, pieces[index].interface == nil else { return }
        pieces[index].holdsAwake = false
        core.power.releaseAwake(at: core.now)
    }

    /// Ends the app's transfers, which are completed or given up.
    ///
    /// If the app is not running, it is launched and notified.
    private mutating func finish(_ app: AppID, _ outcome: RequestOutcome, _ core: inout PhoneCore) {
        let session = table.remove(app)
        core.engine.cancel(Slots.app(app, .transferDue))
        record(session, of: app, outcome, &core)
        guard outcome == .success else { return }
        let time = core.now - session.since
        core.measures.add(measures.done, of: app, Double(session.count))
        core.measures.record(measures.delay, of: app, time.seconds)
        core.book.day(app) { row in
            row.transfers += session.count
            row.transferSeconds += time.seconds
        }
        moving.removeAll { $0 == app }
        guard !core.background.isForceQuit(app), !core.processes.state(of: app).executes else { return }
        table.noteLaunch(of: app, at: core.now)
        let limit = core.device.background.pushes.runtime
        var plan = EventPlan(.transferDone, cause: .transfer, sent: core.now, limit: limit)
        plan.processorTime = core.device.modes.eventProcessorTime
        core.run(app, for: plan)
    }

    /// Ends the delay of an app's transfers, because the user opened the app.
    package mutating func opened(_ app: AppID, _ core: inout PhoneCore) {
        table.noteForeground(app, at: core.now)
        consider(app, &core)
    }

    /// Cancels the app's transfers after a force quit.
    package mutating func forceQuit(_ app: AppID, _ core: inout PhoneCore) {
        wanted[Int(app.index)] = 0
        guard table.isActive(app) else { return }
        if pieces[Int(app.index)].interface != nil { losePiece(app, &core) }
        core.engine.cancel(Slots.app(app, .transferDue))
        record(table.remove(app), of: app, .cancelled, &core)
    }

    /// Checks again the transfers that waited for a change of the phone.
    package mutating func reconsider(_ core: inout PhoneCore) {
        guard !waiting.isEmpty else { return }
        swap(&waiting, &woken)
        for app in woken { consider(app, &core) }
        woken.removeAll(keepingCapacity: true)
    }

    private mutating func record(
        _ session: TransferTable.Session, of app: AppID, _ outcome: RequestOutcome, _ core: inout PhoneCore
    ) {
        let trip = trips[Int(app.index)]
        trips[Int(app.index)] = Trip()
        guard core.book.recordsRequests else { return }
        var row = RequestRow()
        row.app = app
        row.work = .transfer
        row.submitted = session.since
        row.earliestBegin = session.notBefore
        row.started = trip.began
        row.ended = core.now
        row.bytes = trip.bytes
        row.network = Interface.allCases.first { trip.bytes[$0] > 0 }?.network ?? .none
        core.fill(&row, from: trip.start)
        row.outcome = outcome.name
        core.book.sink?.write(row)
    }
}
