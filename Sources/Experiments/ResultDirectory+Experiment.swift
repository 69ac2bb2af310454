// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Recording
import Scenario
import Vocabulary

extension ResultDirectory {
    /// Loads the experiment of the results again.
    ///
    /// These sources are tried in order: the given file, the file that the manifest names, the bundle, and the text in
    /// the manifest. The first source that describes the results is used.
    ///
    /// - Parameter describes: whether an experiment is that of the results.
    /// - Throws: `Diagnostics` when no source exists, or when a source is invalid.
    func experiment(
        policies: PolicyCatalog, path experimentPath: String?, describes: (Experiment) -> Bool
    ) throws(Diagnostics) -> Experiment {
        let found: Experiment
        do throws(Diagnostics) {
            found = try written(policies: policies, path: experimentPath)
            if describes(found) { return found }
        } catch {
            var problems = error
            do throws(Diagnostics) {
                if experimentPath == nil, let kept = try kept(policies: policies), describes(kept) { return kept }
            } catch {
                // If two sources have the same error, such as a refused foreign policy, it is reported once.
                if error.ordered.list.first?.message != problems.ordered.list.first?.message {
                    problems.append(contentsOf: error)
                }
            }
            throw problems
        }
        if experimentPath == nil, let kept = try? kept(policies: policies), describes(kept) { return kept }
        return found
    }

    /// Experiment in the manifest, including its models; nil if there is none.
    private func kept(policies: PolicyCatalog) throws(Diagnostics) -> Experiment? {
        guard let manifest = try? manifest(), let path = manifest["experiment"]?["path"]?.string,
            let resolved = manifest["experiment"]?["resolved"]?.string
        else { return nil }
        return try loadExperiment(resolved: resolved, path: path, catalog: policies)
    }

    private func written(policies: PolicyCatalog, path experimentPath: String?) throws(Diagnostics) -> Experiment {
        guard let manifest = try manifest(), let path = manifest["experiment"]?["path"]?.string else {
            throw Diagnostics("\(self.path) does not name its experiment")
        }
        let file = experimentPath ?? path
        if (try? InputFile(file)) != nil {
            let overrides = (manifest["experiment"]?["overrides"]?.array ?? []).compactMap(\.string)
            return try loadExperiment(path: file, overrides: overrides, catalog: policies)
        }
        if experimentPath == nil, let bundle = try? Bundle(in: self) {
            return try bundle.experiment(policies: policies)
        }
        throw Diagnostics(
            "the experiment file \(file) of \(self.path) does not exist",
            hint: "call flotsam from the folder in which you called flotsam run, or name the file with --experiment")
    }
}
