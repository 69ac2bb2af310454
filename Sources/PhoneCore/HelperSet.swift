// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

/// The helpers that the system has for all apps; each exists only if a device file defines it.
///
/// Limits of extensions are those of iOS 12 (JetsamProperties, github.com/eycorsican/jetsamproperties, 2019): 120 MB to
/// share, 400 MB to edit photos. No source publishes their use and memory, nor those of models.
public struct HelperSet: Sendable {
    /// The extension of another app in the share sheet.
    public var share: HelperParameters?
    /// The extension of another app that edits a photo.
    public var photo: HelperParameters?
    /// The service that keeps a language model in memory and answers with it.
    ///
    /// A model of 3 billion parameters of 3.7 bits takes 1.3 GiB ("Apple Intelligence Foundation Language Models",
    /// arXiv 2407.21075), and further memory to answer.
    public var model: HelperParameters?
    /// How many children all apps together may have (`max_phantom_processes`, 32 since Android 12); zero for no limit.
    public var childLimit = 32

    /// Creates a phone without any.
    public init() {}

    /// The keys other than those of the helpers, with the allowed values.
    public static let keys: [FileKey<HelperSet>] = [
        .integer(\.childLimit, "child_limit", 0...100_000, example: "32")
    ]

    /// Usual figures of sharing, all assumptions: 1 to 5 % of opens, 25 to 80 MiB, 10 to 40 s.
    public static var usualShare: HelperParameters {
        var helper = HelperParameters()
        (helper.openShare, helper.memory, helper.sigma) = (0.02, .mebibytes(45), 0.5)
        helper.limit = .mebibytes(120)
        return helper
    }

    /// Usual figures of photo editing, all assumptions: 0.1 to 0.5 % of opens, 100 to 300 MiB, 0.5 to 2 min.
    public static var usualPhoto: HelperParameters {
        var helper = HelperParameters()
        (helper.openShare, helper.memory, helper.sigma) = (0.002, .mebibytes(180), 0.4)
        (helper.limit, helper.time, helper.load) = (.mebibytes(400), .minutes(1), 1)
        return helper
    }

    /// Usual figures of a model, all assumptions: 5 to 50 answers a day of 5 to 20 s, 1.5 to 3 GiB, unloaded after 1 to
    /// 30 min.
    public static var usualModel: HelperParameters {
        var helper = HelperParameters()
        (helper.perDay, helper.memory, helper.files) = (20, .gibibytes(2), .mebibytes(1300))
        (helper.time, helper.load, helper.stays) = (.seconds(10), 1, .minutes(5))
        return helper
    }
}

/// A process that runs when it is needed: a process of the system for all apps, or an app's process besides its main
/// one.
package struct Helper: Sendable {
    /// Unique name: the name of the system's helper; or the app's name, a colon and the kind.
    package var name: String
    /// App that owns the helper; the system for the system's own helpers.
    package var owner: AppID
    /// Kind of the helper; nil for the system's own helpers.
    package var kind: AppProcess.Kind?
    /// When the helper is needed, in addition to its figures.
    package var need = AppProcess.Kind.Need.onlyAsStated
    /// Whether the user looks at it.
    package var isSeen: Bool
    /// Size and working time of the helper; includes the limit of the system.
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
