// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments

/// Page about a twin: the level curve, the table and the answers; it needs no network.
struct TwinPage {
    private let text: TwinText

    init(_ text: TwinText) { self.text = text }

    /// The page.
    var html: String {
        let title = "Twin" + (text.heading.isEmpty ? "" : " of " + text.heading)
        return """
            <!DOCTYPE html>
            <!--
            \(TwinFolder.mark)
            -->
            <html lang="en"><head><meta charset="utf-8"><title>\(Self.plain(title))</title>
            <meta name="generator" content="flotsam twin"><style>
            body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#222}
            table{border-collapse:collapse;margin:1rem 0}td,th{padding:.15rem .6rem;text-align:right}
            td:first-child,th:first-child{text-align:left}th{border-bottom:1px solid #999}
            .outside,.wide{color:#a33}svg{width:100%;height:auto}.band{fill:#cde}.said{color:#555;font-size:.9rem}
            </style></head><body><h1>\(Self.plain(title))</h1>
            \(lead)\(curve)\(answers)\(table)\(foot)
            </body></html>

            """
    }

    /// Text with special characters escaped for the page.
    private static func plain(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private var lead: String { text.verdict.map { "<p>\(Self.plain($0))</p>" } ?? "" }

    private var foot: String {
        let said = (text.sentences + [text.missing].compactMap { $0 }).map { "<li>\(Self.plain($0))</li>" }
        return "<h2>What it is based on</h2><ul class=\"said\">\(said.joined())</ul>"
    }

    private var answers: String {
        guard let first = text.answers.first else { return "" }
        let replayed = TwinText.replayed(first).map { "<td>\(Self.plain($0))</td>" }
        let head = TwinAnswer.judged.map { "<th>\($0.words)</th>" }.joined()
        let rows = text.answers.map { answer in
            let cells = answer.changes.map { change in
                "<td>\(Self.plain(change.map { $0.isNone ? "no change" : $0.text } ?? "-"))</td>"
            }
            return "<tr><td>\(Self.plain(answer.change.text))</td>\(cells.joined())</tr>"
        }
        return "<h2>What if</h2><p>The same days with one change, compared run by run. "
            + "Brackets contain 95 % intervals.</p>"
            + "<table><tr><th></th>\(head)</tr><tr><td>the replayed phone</td>\(replayed.joined())</tr>"
            + "\(rows.joined())</table>"
    }

    private var table: String {
        guard let rows = text.twin.replay?.rows, !rows.isEmpty else { return "" }
        func cell(_ value: Double) -> String { "<td>\(Figures.short(value, digits: 3))</td>" }
        let lines = rows.map { row in
            let verdict = TwinText.verdict(of: row)
            return "<tr><td>\(Self.plain(row.name))</td>\(cell(row.recorded))\(cell(row.simulated))\(cell(row.low))"
                + "\(cell(row.high))<td>\(row.unit)</td><td class=\"\(verdict)\">\(verdict)</td></tr>"
        }
        return "<h2>Recorded and simulated</h2><table><tr><th></th><th>recorded</th><th>simulated</th><th>from</th>"
            + "<th>to</th><th></th><th></th></tr>\(lines.joined())</table>"
    }

    /// Level by hour: a line for the recording, and a dashed line with its interval for the simulation.
    private var curve: String {
        guard let levels = text.twin.replay?.levels, levels.count > 1, let first = levels.first, let last = levels.last
        else { return "" }
        let width = Double(max(1, last.hour - first.hour))
        func x(_ hour: Int) -> String { Figures.short(40 + 740 * Double(hour - first.hour) / width, digits: 5) }
        func y(_ level: Double) -> String { Figures.short(10 + 220 * (1 - level), digits: 5) }
        func line(_ value: (Int) -> Double, _ order: [Int]) -> String {
            order.map { "\(x(levels[$0].hour)),\(y(value($0)))" }.joined(separator: " ")
        }
        let order = Array(levels.indices)
        let band = line({ levels[$0].high }, order) + " " + line({ levels[$0].low }, order.reversed())
        let days = levels.filter { $0.hour % 24 == 0 }.map {
            "<line x1=\"\(x($0.hour))\" x2=\"\(x($0.hour))\" y1=\"10\" y2=\"230\" stroke=\"#ddd\"/>"
                + "<text x=\"\(x($0.hour))\" y=\"246\" font-size=\"11\">day \($0.hour / 24 + 1)</text>"
        }
        return "<svg viewBox=\"0 0 800 260\" role=\"img\" aria-label=\"battery level, recorded and simulated\">"
            + days.joined() + "<polygon class=\"band\" points=\"\(band)\"/>"
            + "<polyline fill=\"none\" stroke=\"#222\" stroke-width=\"2\" points=\""
            + line({ levels[$0].recorded }, order) + "\"/>"
            + "<polyline fill=\"none\" stroke=\"#06c\" stroke-width=\"2\" stroke-dasharray=\"5 3\" points=\""
            + line({ levels[$0].simulated }, order) + "\"/><text x=\"4\" y=\"16\" font-size=\"11\">100 %</text>"
            + "<text x=\"10\" y=\"234\" font-size=\"11\">0 %</text></svg>"
            + "<p class=\"said\">Battery level: recorded (black), simulated (blue), its 95 % interval (shaded).</p>"
    }
}
