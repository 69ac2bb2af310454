// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

/// The system's helpers for all apps; each exists only if a device file defines it.
///
/// Limits of extensions are those of iOS 12 (JetsamProperties, github.com/eycorsican/jetsamproperties, 2019): 120 MB
/// for sharing, 400 MB for editing photos. No source states how often extensions run, how much memory they use, or the
/// figures of language models.
public struct HelperSet: Sendable {
    /// The extension of another app in the share sheet.
    public var share: HelperParameters?
    /// The extension of another app that edits a photo.
    public var photo: HelperParameters?
    /// The service that keeps a language model in memory and answers with it.
    ///
    /// A model of 3 billion parameters at 3.7 bits each uses 1.3 GiB ("Apple Intelligence Foundation Language Models",
    /// arXiv 2407.21075), and more while it answers.
    public var model: HelperParameters?
    /// Largest number of children of all apps together (`max_phantom_processes`, 32 since Android 12); zero for no
    /// limit.
    public var childLimit = 32

    /// Creates an empty set, for a phone without helpers.
    public init() {}

    /// The keys other than those of the helpers, with their allowed values.
    public static let keys: [FileKey<HelperSet>] = [
        .integer(\.childLimit, "child_limit", 0...100_000, example: "32")
    ]

    /// Usual figures for sharing, all assumptions: 1 to 5 % of opens, 25 to 80 MiB, 10 to 40 s.
    public static var usualShare: HelperParameters {
        var helper = HelperParameters()
        (helper.openShare, helper.memory, helper.sigma) = (0.02, .mebibytes(45), 0.5)
        helper.limit = .mebibytes(120)
        return helper
    }

    /// Usual figures for editing photos, all assumptions: 0.1 to 0.5 % of opens, 100 to 300 MiB, 0.5 to 2 min.
    public static var usualPhoto: HelperParameters {
        var helper = HelperParameters()
        (helper.openShare, helper.memory, helper.sigma) = (0.002, .mebibytes(180), 0.4)
        (helper.limit, helper.time, helper.load) = (.mebibytes(400), .minutes(1), 1)
        return helper
    }

    /// Usual figures of a model, all assumptions.
    ///
    /// Ranges: 5 to 50 answers a day of 5 to 20 s each, 1.5 to 3 GiB, unloading after 1 to 30 min.
    public static var usualModel: HelperParameters {
        var helper = HelperParameters()
        (helper.perDay, helper.memory, helper.files) = (20, .gibibytes(2), .mebibytes(1300))
        (helper.time, helper.load, helper.stays) = (.seconds(10), 1, .minutes(5))
        return helper
    }
}

/// A process that runs on demand: a system process for all apps, or a process of one app besides its main process.
package struct Helper: Sendable {
    /// Unique name: the name of the system's helper, or the app's name with a colon and the kind.
    package var name: String
    /// App that owns the helper; `system` for the system's own helpers.
    package var owner: AppID
    /// Kind of the helper; nil for the system's own helpers.
    package var kind: AppProcess.Kind?
    /// When the helper is needed, in addition to the times in `figures`.
    package var need = AppProcess.Kind.Need.onlyAsStated
    /// Whether the user sees the work of the helper.
    package var isSeen: Bool
    /// Size, working time and other figures of the helper, including the system's limit.
    package var figures: HelperParameters
}

extension DeviceModel {
    /// All helpers: those of the system, then those of the apps.
    package func helpers(of apps: [AppModel]) -> [Helper] {
        let own = [
            ("share-extension", true, helpers.share), ("photo-extension", true, helpers.photo),
            ("model-service", false, helpers.model),
        ]
        var found = own.compactMap { name, isSeen, figures in
            figures.map { Helper(name: name, owner: .system, kind: nil, isSeen: isSeen, figures: $0) }
        }
        for (index, app) in apps.enumerated() {
            for process in app.traits.processes where process.kind.isOfAndroid == (os.family == .android) {
                let kind = process.kind
                var figures = process.figures
                figures.limit = figures.limit ?? kind.limit(onIOS: os.majorVersion)
                for number in 1...figures.count {
                    let suffix = figures.count > 1 ? "-\(number)" : ""
                    found.append(
                        Helper(
                            name: "\(app.name):\(kind.rawValue)\(suffix)", owner: AppID(index), kind: kind,
                            need: kind.need, isSeen: kind.isSeen, figures: figures))
                }
            }
        }
        return found
    }
}
