// SPDX-License-Identifier: GPL-3.0-or-later
// This file computes how phones differ in their use of one app, from payloads of MetricKit or metrics of Perfetto.
// In: the phones. Out: the app that most phones report, and the spread of each figure over the phones.

import Importers
import Quantities
import Scenario

/// An app on the phones of a fleet.
public struct Fleet: Sendable {
    /// Distribution of a figure over the phones that have a value.
    public struct Spread: Sendable {
        /// Name of the figure, in words.
        public let name: String
        /// Unit of the figure.
        public let unit: String
        /// Values of the phones that have one, in ascending order.
        public let values: [Double]

        /// Quantile of the values, with linear interpolation.
        public func quantile(_ share: Double) -> Double {
            let rank = share * Double(values.count - 1)
            let low = Int(rank)
            let high = min(low + 1, values.count - 1)
            return values[low] + (rank - Double(low)) * (values[high] - values[low])
        }

        /// Median of the values.
        public var median: Double { quantile(0.5) }

        /// Standard deviation of the scaled values; nil for fewer than three phones.
        func deviation(_ scale: (Double) -> Double) -> Double? {
            guard values.count > 2 else { return nil }
            let numbers = values.map(scale)
            let mean = numbers.reduce(0, +) / Double(numbers.count)
            let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return (squares / Double(numbers.count - 1)).squareRoot()
        }

        init?(_ name: String, _ unit: String, _ values: [Double]) {
            guard !values.isEmpty else { return nil }
            (self.name, self.unit, self.values) = (name, unit, values.sorted())
        }
    }

    /// The app's name.
    public let app: String
    /// Number of phones with the app, and the sum of their days.
    public let phones: Int, days: Int
    /// Most frequent combination of device and system among these phones, and the number of phones that have it.
    public let device: String, os: String, alike: Int
    /// Memory of the phones with this device and system; nil unless they all report the same size.
    public let memory: ByteCount?
    /// Footprint of the app on screen and in the background, in MiB.
    public let footprint: Spread?, background: Spread?
    /// Launch time, in ms.
    public let launch: Spread?
    /// Opens per day, seconds on screen per day, and seconds per visit.
    public let opens: Spread?, foreground: Spread?, visit: Spread?
    /// Traffic per day in MiB over Wi-Fi and over the mobile network, share of Wi-Fi, and bits per second on screen.
    public let wifi: Spread?, cellular: Spread?, wifiShare: Spread?, rate: Spread?
    /// Bars of the cellular signal, as one mean per phone.
    public let bars: Spread?

    /// Name of the app in the model files.
    public var name: String {
        let letters = app.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return String(letters.prefix(100))
    }

    /// All figures for which at least one phone has a value.
    public var figures: [Spread] {
        [footprint, background, launch, opens, foreground, visit, wifi, cellular, wifiShare, rate, bars].compactMap {
            $0
        }
    }

    /// Selects the app that most phones report; nil if no payload or metric names an app.
    public init?(_ all: [RecordedPhone], library: ModelLibrary) {
        var counts: [String: Int] = [:]
        for phone in all {
            for (name, app) in phone.apps where Self.isCounted(name, app, phone) { counts[name, default: 0] += 1 }
        }
        guard let app = counts.min(by: { (-$0.value, $0.key) < (-$1.value, $1.key) })?.key else { return nil }
        let own = all.filter { phone in phone.apps[app].map { Self.isCounted(app, $0, phone) } ?? false }
        self.app = app
        phones = own.count
        let told = own.compactMap { $0.apps[app] }
        days = told.reduce(0) { $0 + $1.days }
        let devices = library.names(.devices)
        var kinds: [String: Int] = [:]
        func kind(_ phone: RecordedPhone) -> String {
            TwinModel.base(of: phone, among: devices) + "/" + TwinModel.system(of: phone)
        }
        for phone in own { kinds[kind(phone), default: 0] += 1 }
        let most = kinds.min { (-$0.value, $0.key) < (-$1.value, $1.key) }
        let parts = (most?.key ?? "/").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        (device, os, alike) = (parts[0], parts[1], most?.value ?? 0)
        let sizes = own.filter { kind($0) == most?.key }.map(\.memory)
        memory = sizes.allSatisfy { $0 == sizes[0] } ? sizes[0] : nil
        func spread(_ name: String, _ unit: String, _ value: (RecordedPhone.App) -> Double?) -> Spread? {
            Spread(name, unit, told.compactMap { app in value(app).flatMap { $0.isFinite ? $0 : nil } })
        }
        func daily(_ value: Double, _ app: RecordedPhone.App) -> Double? {
            app.days > 0 && value > 0 ? value / Double(app.days) : nil
        }
        footprint = spread("memory in the foreground", "MiB") { app in
            app.peaks.isEmpty ? nil : app.peaks.sorted()[app.peaks.count / 2].mebibytes
        }
        background = spread("memory in the background", "MiB") { $0.backgroundFootprint?.mebibytes }
        launch = spread("launch", "ms") { $0.launch.map { $0.seconds * 1000 } }
        opens = spread("opens", "1/d") { daily($0.opens, $0) }
        foreground = spread("on screen", "s/d") { daily($0.foreground, $0) }
        visit = spread("visit", "s") { $0.opens > 0 && $0.foreground > 0 ? $0.foreground / $0.opens : nil }
        wifi = spread("over Wi-Fi", "MiB/d") { daily($0.wifiBytes / 1_048_576, $0) }
        cellular = spread("over the mobile network", "MiB/d") { daily($0.cellularBytes / 1_048_576, $0) }
        func bytes(_ app: RecordedPhone.App) -> Double { app.wifiBytes + app.cellularBytes }
        wifiShare = spread("share of Wi-Fi", "") { bytes($0) > 0 ? $0.wifiBytes / bytes($0) : nil }
        rate = spread("traffic on screen", "bit/s") {
            bytes($0) > 0 && $0.foreground > 0 ? 8 * bytes($0) / $0.foreground : nil
        }
        bars = Spread(
            "cellular signal", "bars",
            own.compactMap { phone in
                let times = phone.bars.sorted { $0.key < $1.key }
                let whole = times.reduce(0) { $0 + $1.value }
                return whole > 0 ? times.reduce(0) { $0 + $1.key * $1.value } / whole : nil
            })
    }

    /// Whether a phone counts for an app, which requires payloads or metrics of the app.
    ///
    /// A bug report also names apps, but contains no days of their use.
    private static func isCounted(_ name: String, _ app: RecordedPhone.App, _ phone: RecordedPhone) -> Bool {
        app.days > 0 || (TwinModel.isApp(name) && (app.opens > 0 || !app.peaks.isEmpty))
    }
}
