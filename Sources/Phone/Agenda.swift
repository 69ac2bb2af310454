import EventKernel
import Quantities
import Vocabulary

/// What the phone is to do for an app at an instant.
enum Errand: UInt8 {
    /// A silent push that waits may be let through.
    case heldPush
    /// The user has moved.
    case movement
    /// A call moves its next piece, or may end.
    case modePiece, modeEnd
    /// Music that goes on in the background fetches its next piece.
    case musicPiece
    /// A VoIP push is sent.
    case call
    /// An accessory has something for its app.
    case accessory
    /// The app wishes a transfer; one may begin; a piece has passed.
    case transferWish, transferDue, transferPiece
    /// A widget asks to be reloaded.
    case widget
    /// A continued task is as far as it can report; a place for one is free.
    case continuedStep, continuedPlace
    /// The system's push connection, or that of an app, may need a heartbeat.
    case pushHeartbeat, heartbeat
}

/// Errands that are rare enough to share one timer: a binary heap by time, and among equals by order of entry.
///
/// Nothing is ever taken out: who carries an errand out looks whether it is still wanted.
struct Agenda {
    struct Entry: BitwiseCopyable {
        var time: SimTime
        var turn: UInt64
        var app: AppID
        var errand: Errand
        /// Tells an entry from those before it that are stale; 0 where none can be.
        var token: UInt32
    }

    private var heap: [Entry] = []
    private var nextTurn: UInt64 = 0

    /// When the first errand is due; the distant future when there is none.
    var nextTime: SimTime { heap.isEmpty ? .distantFuture : heap[0].time }

    /// Enters an errand; one in the distant future never comes.
    mutating func add(_ errand: Errand, _ app: AppID, at time: SimTime, token: UInt32 = 0) {
        guard time != .distantFuture else { return }
        heap.append(Entry(time: time, turn: nextTurn, app: app, errand: errand, token: token))
        nextTurn += 1
        var place = heap.count - 1
        while place > 0, isBefore(place, (place - 1) / 2) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the first errand that is due at an instant; nil when none is.
    mutating func pop(dueAt now: SimTime) -> Entry? {
        guard let first = heap.first, first.time <= now else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return first
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].turn) < (heap[right].time, heap[right].turn)
    }

    private mutating func sink() {
        var place = 0
        while true {
            var best = place
            let left = 2 * place + 1
            if left < heap.count, isBefore(left, best) { best = left }
            if left + 1 < heap.count, isBefore(left + 1, best) { best = left + 1 }
            if best == place { return }
            heap.swapAt(place, best)
            place = best
        }
    }
}

extension PhoneModel {
    /// Carries out what is due.
    mutating func runErrands(in engine: inout PhoneEngine) {
        while let entry = agenda.pop(dueAt: engine.now) {
            switch entry.errand {
            case .heldPush: considerPush(entry.app, in: &engine)
            case .movement: userMoved(in: &engine)
            case .musicPiece: fetchMusic(entry.app, in: &engine)
            case .modePiece: moveModePiece(entry.app, token: entry.token, in: &engine)
            case .modeEnd: modeMayEnd(entry.app, in: &engine)
            case .call: callArrives(entry.app, in: &engine)
            case .accessory: accessoryCalls(entry.app, in: &engine)
            case .transferWish: wishTransfer(entry.app, in: &engine)
            case .transferDue: considerTransfer(entry.app, in: &engine)
            case .transferPiece: pieceMoved(entry.app, token: entry.token, in: &engine)
            case .widget: reloadWidget(of: entry.app, in: &engine)
            case .continuedStep: continuedStep(entry.token, in: &engine)
            case .continuedPlace: startContinued(in: &engine)
            case .pushHeartbeat: pushConnectionRests(at: engine.now)
            case .heartbeat: heartbeatIsDue(entry.app, at: engine.now)
            }
        }
    }
}
