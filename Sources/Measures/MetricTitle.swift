// SPDX-License-Identifier: GPL-3.0-or-later

extension MetricList.Entry {
    /// Name of the metric in words, as the subject of a sentence.
    ///
    /// `content_age_s_mean` becomes "mean content age", and `relaunches_per_day(app=mail)` becomes "relaunches of mail
    /// per day".
    public var title: String {
        let parts = name.split(separator: "(", maxSplits: 1)
        var words = parts[0].split(separator: "_").map(String.init)
        let isRate = words.suffix(2) == ["per", "day"]
        if isRate { words.removeLast(2) }
        var front = ""
        if let statistic = words.last.flatMap({ Self.statistics[$0] }) {
            front = statistic + " "
            words.removeLast()
        }
        let isFigure = words.last == "pct" && words.dropLast().last.flatMap { Int($0) } != nil
        if let last = words.last, Self.units.contains(last), words.count > 1, !isFigure { words.removeLast() }
        words = words.enumerated().map { index, word in
            // In the middle of a name, `pct` is the percent sign of the number before it, or a level.
            if word == "pct" { return index > 0 && Int(words[index - 1]) != nil ? "%" : "level" }
            return Self.spelled[word] ?? word
        }
        let app = parts.count == 2 ? parts[1].dropFirst("app=".count).dropLast() : ""
        return front + words.joined(separator: " ") + (app.isEmpty ? "" : " of \(app)") + (isRate ? " per day" : "")
    }

    /// Whether the metric counts things, so that texts use "fewer" and "more" rather than "less" and "more".
    public var isCount: Bool { unit == "1/d" || unit == "apps" }

    private static let statistics = ["mean": "mean", "median": "median", "p95": "95th-percentile", "min": "least"]
    private static let units: Set = ["s", "ms", "h", "wh", "j", "mib", "c", "pct"]
    private static let spelled = [
        "bg": "background", "fg": "foreground", "cpu": "CPU", "ram": "RAM", "22h": "22:00", "min": "minutes",
    ]
}
