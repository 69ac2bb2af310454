import Processes
import Quantities
import RandomStreams
import Vocabulary

/// Several windows of an app on a tablet; one is on screen at a time.
extension PhoneModel {
    /// Chooses the window that a visit is about: any of those the user keeps, with equal probability (assumption).
    mutating func drawWindow(_ index: Int) {
        guard device.habits.hasWindows, apps[index].windows > 1 else { return }
        let window = Int(lifeStreams[index].uniform() * Double(apps[index].windows))
        guard foreground != AppID(index) else { return }
        lives[index].window = min(window, apps[index].windows - 1)
    }

    /// Memory of the connected windows of an app beyond the first.
    func furtherWindows(_ app: AppID) -> ByteCount {
        let memory = apps[Int(app.index)].windowMemory
        guard memory > .zero else { return .zero }
        return memory * Double(max(0, processes.connectedWindows(of: app) - 1))
    }

    /// How many windows the system has taken the memory of since the warm-up.
    func reclaimedWindows(at now: SimTime) -> Int {
        processes.statistics(at: now).disconnectedWindows - windowsAtWarmup
    }
}
