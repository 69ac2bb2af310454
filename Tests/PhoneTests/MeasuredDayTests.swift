// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// What begins on one day and ends on the next, and runs whose days are measured separately.
@Suite struct MeasuredDayTests {
    /// A metric on two days of a phone, each measured separately.
    private func values(of metric: String, _ day: ScriptedDay, _ rows: [String]) throws -> [Double] {
        let specification = try specification(day, rows)
        let index = try #require(MetricCatalog.catalogue.index(of: metric))
        return simulateDays(specification).map { $0[index] }
    }

    /// Two days of a phone; the rows may be of both days.
    private func specification(
        _ day: ScriptedDay, _ rows: [String], tables: TableSet = []
    ) throws -> RunSpecification {
        let text = "# covered_s: 0 to 172800\nt_s,event,app,value\n" + rows.joined(separator: "\n") + "\n"
        let file = try WorkloadFile(bytes: Array(text.utf8), name: "rows")
        var specification = try day.specification(tables: tables)
        specification.duration = .days(2)
        specification.recording = try TraceRecording(file: file, apps: day.apps, chargerWatts: 10)
        return specification
    }

    /// The visit lasts from 23:53:20 to 0:10.
    @Test func `a visit over midnight is on screen on the day on which it ends`() throws {
        let rows = ["0,network,,wifi", "86000,unlock,,", "86000,open,app-0,1000", "87200,lock,,"]
        let collector = RowCollector()
        let day = ScriptedDay.plain(["0,network,,wifi"])
        _ = simulate(try specification(day, rows, tables: [.appDays]), sink: collector)
        let days = collector.days.filter { $0.app == AppID(0) }
        #expect(days.map(\.opens) == [1, 0] && days.map(\.foregroundSeconds) == [0, 1000])
    }

    /// The app refreshes every two hours from about 2:18 on, but has no network from 22:47 to 6:00.
    ///
    /// The gap from 20:18 to 22:18 begins the night, and the gap of almost eight hours that follows ends it.
    @Test func `a night that began the day before counts on the day on which its longest gap ends`() throws {
        var day = ScriptedDay.plain(["0,network,,wifi"]) {
            ($0.refreshPeriod, $0.completionProbability, $0.resubmitProbability) = (.hours(2), 1, 1)
        }
        day.scheduling = "immediate"
        let rows = [
            "0,network,,wifi", "10,plug,,10", "1000,unlock,,", "1000,open,app-0,60", "1100,lock,,",
            "82000,network,,none", "108000,network,,wifi",
        ]
        // On the second day this is the only night, because the app was not on screen in the day before any later one.
        #expect(try values(of: "overnight_gap_share", day, rows) == [0, 1])
    }

    /// The tunnel dies whenever it starts: at 0, 1, 5, 21, 85, 341, 1,365 and 4,965 s, and then every hour.
    @Test func `a tunnel that is down at midnight is down from midnight on in the next day's measure`() throws {
        var process = AppProcess(.tunnel)
        (process.figures.sigma, process.figures.memory) = (0, .mebibytes(51))
        var day = ScriptedDay.plain(["0,network,,wifi"]) { $0.traits.processes = [process] }
        day.device.os = try #require(OSProfile.named("ios-17", ram: day.device.memory.ram))
        day.device.background = BackgroundParameters(day.device.os.family)
        let seconds = try values(of: "process_down_s_per_day", day, ["0,network,,wifi"])
        // The last starts of the days are 4,965 s + 22 h and 4,965 s + 46 h: 84,165 s and 170,565 s.
        #expect(seconds.count == 2 && seconds.allSatisfy { abs($0 - 84_165) < 1e-6 }, "\(seconds)")
    }

    /// The app is opened once on the first day and twice on the second, and is swiped away after each visit.
    @Test func `each day has its own bounds on relaunches and on the wait for them`() throws {
        let rows =
            ["0,network,,wifi"]
            + [1000, 87_400, 88_400].flatMap { begin in
                [
                    "\(begin),unlock,,", "\(begin),open,app-0,60", "\(begin + 100),force_quit,app-0,",
                    "\(begin + 200),lock,,",
                ]
            }
        let day = ScriptedDay.plain(["0,network,,wifi"])
        // After a swipe each open must launch the app: once on the first day, twice on the second.
        #expect(try values(of: "relaunches_per_day", day, rows) == [1, 2])
        #expect(try values(of: "least_relaunches_per_day", day, rows) == [1, 2])
        let least = try values(of: "least_launch_wait_s_per_day", day, rows)
        #expect(least.count == 2 && least[0] > 0 && abs(least[1] / least[0] - 2) < 1e-9, "\(least)")
    }
}
