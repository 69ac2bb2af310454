import ConfigText
import Quantities
import Vocabulary

extension AppReader {
    /// Reads what an app does in the background besides refreshing and processing.
    static func readTraits(_ map: MapReader, into app: inout AppModel) {
        map.section("pushes") { readPushes($0, into: &app.traits) }
    }

    private static func readPushes(_ map: MapReader, into traits: inout BackgroundTraits) {
        map.set(&traits.silentPushesPerDay, "silent_per_day", .number(0...1e5, example: "6"))
    }
}
