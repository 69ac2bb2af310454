// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import PhoneCore

extension ModelLibrary {
    /// Reads a device model.
    ///
    /// - Throws: The problems of the file, or of a file that the model is based on.
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

    /// Warnings about a device whose model is a text.
    ///
    /// - Throws: The problems of the text.
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
