import Diagnostics
import Phone
import Recording

/// What a user must hear before a session begins: whatever of the directory's earlier content it does not use.
public struct SessionNotices {
    /// One sentence each.
    public let texts: [String]

    init(plan: Plan, directory: ResultDirectory, build: UInt64) throws {
        var texts: [String] = []
        let outdated = try RunStore(plan: plan, directory: directory, build: build).outdated(in: plan)
        if outdated > 0 { texts.append(Self.otherBuilds(outdated, "are run again")) }
        if let manifest = try directory.manifest() {
            let done = manifest["status"]?["done"]?.integer ?? 0
            if let model = manifest["versions"]?["model"]?.string, model != modelVersion, done > 0 {
                texts.append("\(Self.runs(done)) made by version \(model) of the model and are run again")
            } else if let earlier = manifest["plan"].flatMap(Plan.init(json:)) {
                let known = Set(plan.runs.map(\.identity))
                let kept = try RunStore(plan: earlier, directory: directory, build: build)
                let left = earlier.runs.filter { kept[$0.number] != nil && !known.contains($0.identity) }.count
                if left > 0 {
                    texts.append(
                        "the tables in \(directory.path) are written anew without \(left) \(left == 1 ? "run" : "runs") "
                            + "that the experiment no longer has; segments/ keeps them")
                }
            }
        }
        self.texts = texts
    }

    /// Says that runs are another build's, and what follows.
    public static func otherBuilds(_ count: Int, _ consequence: String) -> String {
        "\(runs(count)) made by another build of flotsam and \(consequence)"
    }

    private static func runs(_ count: Int) -> String { count == 1 ? "1 run was" : "\(count) runs were" }
}
