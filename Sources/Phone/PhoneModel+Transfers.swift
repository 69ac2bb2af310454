import Background
import EventKernel
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

/// The piece of an app's background transfers that is on its way.
struct TransferPiece {
    var down = ByteCount.zero
    var up = ByteCount.zero
    /// The radio it is on; none when no piece is on its way.
    var interface: Interface?
    var holdsAwake = false
    /// Which piece it is: the agenda's entries of earlier ones are stale.
    var token: UInt32 = 0
}

// A daemon moves the bytes, and the app is told when all have passed (Apple, "Downloading files in the background").
extension PhoneModel {
    /// Enters the app's next wish for a transfer.
    mutating func scheduleTransferWish(_ app: AppID) {
        let rate = apps[Int(app.index)].traits.transfersPerDay
        guard rate > 0 else { return }
        let gap = SimDuration.days(transferStreams[Int(app.index)].exponential(mean: 1 / rate))
        agenda.add(.transferWish, app, at: conditions.now + gap)
    }

    /// The app has something to transfer: it hands it over when it runs next.
    mutating func wishTransfer(_ app: AppID, in engine: inout PhoneEngine) {
        scheduleTransferWish(app)
        transferWishes[Int(app.index)] += 1
        if processes.state(of: app).executes { submitTransfers(app, in: &engine) }
    }

    /// An app that runs hands over what it has to transfer.
    mutating func submitTransfers(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let traits = apps[index].traits
        let wishes = transferWishes[index]
        guard wishes > 0 else { return }
        transferWishes[index] = 0
        let bytes = traits.transferBytes * Double(wishes)
        let up = bytes * traits.transferUpShare
        transfers.add(
            app, down: bytes - up, up: up, isDiscretionary: traits.transferIsDiscretionary,
            inBackground: !processes.state(of: app).isForeground, at: engine.now)
        considerTransfer(app, in: &engine)
    }

    /// Begins the next piece of the app's transfers, or finds out what it waits for.
    mutating func considerTransfer(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        guard transfers.isActive(app), pieces[index].interface == nil else { return }
        let session = transfers.session(of: app)
        guard now - session.since < device.background.transfers.life else {
            finishTransfers(app, .never, in: &engine)
            return
        }
        guard session.notBefore <= now else {
            agenda.add(.transferDue, app, at: session.notBefore)
            return
        }
        let rule = requests.ruleAgainstTransfer(
            of: app, isDiscretionary: session.isDiscretionary, device: conditions, at: now)
        guard !power.isDead, rule == nil, let interface = power.interface else {
            if !waitingTransfers.contains(app) { waitingTransfers.append(app) }
            return
        }
        beginPiece(app, interface, in: &engine)
    }

    private mutating func beginPiece(_ app: AppID, _ interface: Interface, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        let piece = transfers.piece(of: app)
        pieces[index].down = piece.down
        pieces[index].up = piece.up
        pieces[index].interface = interface
        pieces[index].token &+= 1
        if !movingTransfers.contains(app) { movingTransfers.append(app) }
        if !pieces[index].holdsAwake {
            power.holdAwake(app: app, cause: .transfer, at: now)
            pieces[index].holdsAwake = true
        }
        let done = power.beginTransfer(
            interface, down: piece.down, up: piece.up, app: app, cause: .transfer, at: now)
        countBytes(piece.down + piece.up, interface)
        agenda.add(.transferPiece, app, at: done, token: pieces[index].token)
    }

    /// A piece has passed.
    mutating func pieceMoved(_ app: AppID, token: UInt32, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        guard pieces[index].token == token, pieces[index].interface != nil else { return }
        pieces[index].interface = nil
        let isLast = transfers.moved(app, (pieces[index].down, pieces[index].up))
        if isLast { finishTransfers(app, .success, in: &engine) } else { considerTransfer(app, in: &engine) }
        letSleep(index, at: engine.now)
    }

    /// The radio that a piece was on is gone: the piece is lost, and begins again when there is one.
    mutating func loseTransferPieces(in engine: inout PhoneEngine) {
        for app in movingTransfers {
            let interface = pieces[Int(app.index)].interface
            guard interface != nil, power.isDead || interface != power.interface else { continue }
            losePiece(app, at: engine.now)
            considerTransfer(app, in: &engine)
        }
    }

    mutating func losePiece(_ app: AppID, at now: SimTime) {
        let index = Int(app.index)
        pieces[index].interface = nil
        pieces[index].token &+= 1
        letSleep(index, at: now)
    }

    private mutating func letSleep(_ index: Int, at now: SimTime) {
        guard pieces[index].holdsAwake, pieces[index].interface == nil else { return }
        pieces[index].holdsAwake = false
        power.releaseAwake(at: now)
    }

    /// The app's transfers are done or given up; an app that is not running is launched to be told.
    private mutating func finishTransfers(_ app: AppID, _ outcome: RequestOutcome, in engine: inout PhoneEngine) {
        let session = transfers.remove(app)
        settle(session, of: app, outcome, at: engine.now)
        guard outcome == .success else { return }
        counts.transfersDone += Int(session.count)
        countTransfers(app, count: Int(session.count), time: engine.now - session.since)
        counts.transferDelay.add((engine.now - session.since).seconds)
        movingTransfers.removeAll { $0 == app }
        guard !requests.isForceQuit(app), !processes.state(of: app).executes else { return }
        transfers.noteLaunch(of: app, at: engine.now)
        let limit = device.background.pushes.runtime
        wakeApp(app, for: .transferDone, sent: engine.now, limit: limit, in: &engine)
    }

    /// A force quit cancels the app's transfers.
    mutating func cancelTransfers(of app: AppID, at now: SimTime) {
        transferWishes[Int(app.index)] = 0
        guard transfers.isActive(app) else { return }
        if pieces[Int(app.index)].interface != nil { losePiece(app, at: now) }
        settle(transfers.remove(app), of: app, .cancelled, at: now)
    }

    /// Transfers wait for a change of the phone that has come.
    mutating func reconsiderTransfers(in engine: inout PhoneEngine) {
        swap(&waitingTransfers, &wokenApps)
        for app in wokenApps { considerTransfer(app, in: &engine) }
        wokenApps.removeAll(keepingCapacity: true)
    }

    private mutating func settle(
        _ session: TransferTable.Session, of app: AppID, _ outcome: RequestOutcome, at now: SimTime
    ) {
        guard tables.contains(.requests), let sink else { return }
        var row = RequestRow()
        row.app = app
        row.work = .transfer
        row.submitted = session.since
        row.earliestBegin = session.notBefore
        row.started = outcome == .success ? session.notBefore : .distantFuture
        row.ended = now
        row.outcome = outcome.name
        sink.write(row)
    }
}
