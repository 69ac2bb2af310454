// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Recording
import Scenario
import Vocabulary

extension ResultDirectory {
    /// The experiment of the results, read again: from the file given, from the one that the manifest names, or from
    /// the bundle.
    ///
    /// - Throws: `Diagnostics` when none of them is there, or what is there is wrong.
    func experiment(policies: PolicyCatalog, path experimentPath: String?) throws(Diagnostics) -> Experiment {
        guard let manifest = try manifest(), let path = manifest["experiment"]?["path"]?.string else {
            throw Diagnostics("\(self.path) does not say which experiment it holds")
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
            "there is no \(file), from which \(self.path) was made",
            hint: "call it from the folder in which flotsam run was called, or name the file with --experiment")
    }
}
