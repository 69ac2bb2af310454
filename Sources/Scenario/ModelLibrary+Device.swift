// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import PhoneCore

extension ModelLibrary {
    /// The phone of a model.
    ///
    /// - Throws: What is wrong with its file, or with one that it begins from.
    public func device(named name: String) throws(Diagnostics) -> DeviceModel {
        let report = ConfigReport()
        let trees = ModelTrees(library: self, report: report)
        let word = SourceText(name: "--device", text: name)
        let cursor = Cursor(try YAML.parse(word).get(), report: report)
        guard let whole = trees.whole(cursor, .devices),
            let device = DeviceReader(trees: trees).read(Cursor(whole, report: report)), report.problems.isEmpty
        else { throw report.problems }
        return device
    }
}
