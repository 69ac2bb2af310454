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
            let device = DeviceReader(trees: trees).read(Cursor(whole, report: report)), !report.problems.hasErrors
        else { throw report.problems }
        return device
    }

    /// What is strange about a device that a text describes.
    ///
    /// - Throws: What is wrong with it.
    public func warnings(ofDevice yaml: String, name: String) throws(Diagnostics) -> Diagnostics {
        let report = ConfigReport()
        let trees = ModelTrees(library: self, report: report)
        let root = Cursor(try YAML.parse(SourceText(name: name, text: yaml)).get(), report: report)
        if let whole = trees.whole(root, .devices) {
            _ = DeviceReader(trees: trees).read(Cursor(whole, report: report))
        }
        if report.problems.hasErrors { throw report.problems }
        return report.problems
    }
}
