// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities

/// A process that the system starts when an app or the user needs it, and which goes again: an extension, or a service
/// that holds a model.
public struct HelperParameters: Sendable {
    /// Share of the opens of apps in which the user has it started.
    public var openShare = 0.0
    /// How often it is needed in a day besides, whatever the user does.
    public var perDay = 0.0
    /// Median of its memory while it works.
    public var memory = ByteCount.zero
    /// Standard deviation of ln(memory) between its starts.
    public var sigma = 0.0
    /// Memory above which it dies at once; none when zero.
    public var limit = ByteCount.zero
    /// How long it works.
    public var time = SimDuration.seconds(20)
    /// How many processors it keeps busy meanwhile.
    public var load = 0.3
    /// How long it stays afterwards, idle, until it ends of itself.
    public var stays = SimDuration.zero
    /// Bytes that it reads from storage when it starts.
    public var files = ByteCount.mebibytes(20)

    /// Creates a helper that nobody needs.
    public init() {}
}

extension HelperParameters {
    /// The keys of one helper, with what is allowed.
    public static let keys: [FileKey<HelperParameters>] = [
        .share(\.openShare, "open_share"),
        .number(\.perDay, "per_day", 0...1e5, example: "20"),
        .bytes(\.memory, "memory"),
        .number(\.sigma, "sigma", 0...3, example: "0.5"),
        .bytes(\.limit, "limit"),
        .time(\.time, "time", 0.1...86400),
        .number(\.load, "load", 0...16, example: "0.3"),
        .time(\.stays, "stays", 0...86400),
        .bytes(\.files, "files"),
    ]
}

/// The helpers of a phone, each of them only where a device file has it.
///
/// Limits of extensions are those of iOS 12 (JetsamProperties, github.com/eycorsican/jetsamproperties, 2019): 120 MB to
/// share, 400 MB to edit photos. How often they are used and what they take is published nowhere, nor for models.
public struct HelperSet: Sendable {
    /// The extension of another app in the share sheet.
    public var share: HelperParameters?
    /// The extension of another app that edits a photo.
    public var photo: HelperParameters?
    /// The service that holds a language model and answers with it.
    ///
    /// One of 3 billion parameters of 3.7 bits takes 1.3 GiB ("Apple Intelligence Foundation Language Models",
    /// arXiv 2407.21075), and room to answer.
    public var model: HelperParameters?

    /// Creates a phone without any.
    public init() {}

    /// Sharing as usual: 1 to 5 % of opens, 25 to 80 MiB, 10 to 40 s, all of them assumptions.
    public static var usualShare: HelperParameters {
        var helper = HelperParameters()
        (helper.openShare, helper.memory, helper.sigma) = (0.02, .mebibytes(45), 0.5)
        helper.limit = .mebibytes(120)
        return helper
    }

    /// Editing as usual: 0.1 to 0.5 % of opens, 100 to 300 MiB, half a minute to two, all of them assumptions.
    public static var usualPhoto: HelperParameters {
        var helper = HelperParameters()
        (helper.openShare, helper.memory, helper.sigma) = (0.002, .mebibytes(180), 0.4)
        (helper.limit, helper.time, helper.load) = (.mebibytes(400), .minutes(1), 1)
        return helper
    }

    /// A model as usual: 5 to 50 answers a day of 5 to 20 s, 1.5 to 3 GiB, 1 to 30 min until it goes, all of them
    /// assumptions.
    public static var usualModel: HelperParameters {
        var helper = HelperParameters()
        (helper.perDay, helper.memory, helper.files) = (20, .gibibytes(2), .mebibytes(1300))
        (helper.time, helper.load, helper.stays) = (.seconds(10), 1, .minutes(5))
        return helper
    }

    /// Those that there are, by name, and whether the user looks at them.
    package var all: [(name: String, isSeen: Bool, figures: HelperParameters)] {
        var found: [(name: String, isSeen: Bool, figures: HelperParameters)] = []
        if let share { found.append(("share-extension", true, share)) }
        if let photo { found.append(("photo-extension", true, photo)) }
        if let model { found.append(("model-service", false, model)) }
        return found
    }

    /// Their processes, which follow the daemons.
    package var processes: [SystemProcess] {
        all.map { SystemProcess(name: $0.name, kind: .helper, band: 0, footprint: $0.figures.memory, gap: .zero) }
    }
}
