// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Quantities
import RandomStreams
import Testing
import Workload
import WorkloadFixtures

@testable import UserStudies

@Suite struct UserSampleTests {
    /// Two days from a Monday: sessions, visits, notifications, charges and networks by hand.
    private static func sample(_ rows: String, days: Int = 2) throws -> UserSample {
        let head = "# start: 2026-03-02\n# covered_s: 0 to \(days * 86400)\nt_s,event,app,value\n"
        return UserSample(try WorkloadFile(bytes: Array((head + rows).utf8), name: "by hand"))
    }

    @Test func `sessions, visits, choices and gaps are told apart by day`() throws {
        let sample = try Self.sample(
            """
            3600,unlock,,
            3600,open,a,30
            3630,open,b,20
            3650,lock,,
            3700,unlock,,
            3705,lock,,
            90000,unlock,,
            90000,open,b,60
            90060,open,a,40
            90100,lock,,

            """)
        #expect(sample.days.map(\.weekday) == [0, 1])
        #expect(sample.days.map(\.sessionSeconds) == [[50, 5], [100]])
        #expect(sample.days.map(\.glances) == [[5], []])
        #expect(sample.days.map(\.appCounts) == [[2], [2]])
        #expect(sample.days[0].gaps.map(\.seconds) == [50, 86295])
        #expect(sample.days[0].visits.map(\.seconds) == [30, 20])
        let second = sample.days[1].choices
        #expect(second.map(\.isFirst) == [true, false])
        #expect(second.map(\.current) == [1, 1])
        #expect(second.map(\.previous) == [0, 0])
        #expect(second.map(\.app) == [1, 0])
        #expect(sample.days.map(\.newApps) == [2, 0])
        // a, b, b, a: none is that two before it.
        #expect(sample.returnShare == 0)
        #expect(sample.hits([1, 2]) == [0.25, 0.5])
        #expect(sample.days[0].launchHours[1] == 2)
        #expect(sample.days[1].sessionsBefore == 2)
    }

    @Test func `a notification knows whether the screen was on, of its burst, and when it was answered`() throws {
        let sample = try Self.sample(
            """
            100,push,a,
            104,push,b,
            110,unlock,,
            110,open,a,50
            120,push,a,
            160,open,b,40
            200,lock,,

            """)
        let pushes = sample.days[0].pushes
        #expect(pushes.map(\.isBurst) == [false, true, false])
        #expect(pushes.map(\.whileOn) == [false, false, true])
        #expect(pushes.map(\.opened) == [10, 56, .infinity])
        #expect(sample.opened(within: 30) == 1.0 / 3)
        #expect(sample.pushesPerDay == 1.5)
    }

    @Test func `a night's charge after midnight is that of the evening before, and levels join charges`() throws {
        let sample = try Self.sample(
            """
            43200,plug,,watts=18 level=0.5
            46800,unplug,,0.8
            90000,plug,,watts=18 level=0.2
            111600,unplug,,1

            """)
        #expect(sample.hasLevels)
        #expect(sample.days[0].charges.map(\.isNight) == [false, true])
        #expect(sample.days[0].charges.map(\.plug) == [12, 25])
        #expect(sample.days[0].charges.map(\.startLevel) == [0.5, 0.2])
        #expect(sample.days[1].charges.isEmpty)
        let discharge = try #require(sample.days[0].discharges.first)
        #expect(discharge.start == 13 && discharge.end == 25 && discharge.from == 0.8 && discharge.to == 0.2)
        #expect(!discharge.endsInTopUp)
        #expect(sample.days[0].chargingSeconds[12] == 3600)
        #expect(sample.days[1].chargingSeconds[1] == 3600)
    }

    @Test func `Wi-Fi is counted by hour, and while charging`() throws {
        let sample = try Self.sample(
            """
            0,network,,wifi
            3600,plug,,18
            5400,network,,cellular
            7200,network,,wifi
            7200,unplug,,

            """)
        #expect(sample.days[0].wifiSeconds[0] == 3600)
        #expect(sample.days[0].wifiSeconds[1] == 1800)
        #expect(sample.days[0].networkSeconds[1] == 3600)
        #expect(sample.days[0].chargingOnWiFi[1] == 1800)
        #expect(sample.days[1].wifiSeconds[5] == 3600)
        #expect(sample.days[0].offSpells == [1800])
    }

    @Test func `the distance of two samples is the largest of their distributions`() {
        #expect(ksDistance([1, 2, 3, 4], [1, 2, 3, 4]) == 0)
        #expect(ksDistance([1, 2], [3, 4]) == 1)
        #expect(ksDistance([1, 2, 3, 4], [3, 4, 5, 6]) == 0.5)
        #expect(ksDistance([], [1]) == nil)
    }

    @Test func `the hazard of top-ups is found again from the levels at which they happened`() throws {
        // A battery that falls by 6 % an hour and is plugged in with the hazard 1.2 exp(-level / 20 %), then full.
        var stream = RandomStream(seed: 4, replication: 0, entity: "test", purpose: "top-ups")
        var day = UserDay(number: 0, weekday: 0)
        var hour = 0.0
        for _ in 0..<400 {
            var level = 1.0
            let start = hour
            while stream.uniform() > 1.2 * exp(-level / 0.2) * 0.01, level > 0.01 {
                hour += 0.01
                level -= 0.06 * 0.01
            }
            day.discharges.append(
                UserDay.Discharge(start: start, end: hour, from: 1, to: level, endsInTopUp: level > 0.01))
        }
        let fit = TopUpFit([day], persona: averagePersona(), reach: [Double](repeating: 1, count: 48))
        let found = try #require(fit.parameters)
        // 400 plug-ins: the scale is good to about 5 %, the rate to 10 %.
        #expect(abs(found.levelScale / 0.2 - 1) < 0.15, "\(found)")
        #expect(abs(found.perHour / 1.2 - 1) < 0.3, "\(found)")
    }

    @Test func `chargers are nearer at home than at work and on the way`() {
        let reach = TopUpFit.reach(averagePersona())
        // Monday to Friday: asleep at home, at work from 9 to 17 h; Saturday morning at home.
        #expect(reach[3] == 1)
        #expect(abs(reach[11] - 0.7) < 1e-9)
        #expect(abs(reach[8] - (0.2 * 1 + 0.6 * 0.6 + 0.2 * 1)) < 1e-9)
        #expect(reach[24 + 8] == 1)
    }

    @Test func `acceptance passes recorded figures and fails a Poisson user`() throws {
        func study(_ persona: Persona) -> AcceptanceStudy {
            let samples = (1...4).map { seed in
                PersonaFitStatisticalTests.recording(of: persona, seed: UInt64(seed), days: 14)
            }
            return AcceptanceStudy(persona: "average", samples: samples, base: persona, redraws: 40)
        }
        func row(_ study: AcceptanceStudy, _ statistic: String) throws -> AcceptanceStudy.Row {
            try #require(study.rows.first { $0.statistic == statistic })
        }
        let real = study(averagePersona())
        let gaps = "Weibull shape of gaps in operational time"
        #expect(try row(real, gaps).passed)
        #expect(try row(real, "length of gaps between sessions, KS distance").passed)
        #expect(try row(real, "launches in an hour, variance divided by mean").passed)
        #expect(real.rows.allSatisfy { $0.interval.lowerBound <= $0.interval.upperBound })
        var regular = averagePersona()
        regular.pickups.gapShape = 1
        regular.pickups.daySigma = 0
        let poisson = study(regular)
        #expect(try !row(poisson, gaps).passed)
        #expect(try abs(row(poisson, gaps).found - 1) < 0.1)
        #expect(try !row(poisson, "length of gaps between sessions, KS distance").passed)
    }

    @Test func `distributions of recorded users have the published quantiles`() {
        // One user alone: 22 % is the iPhone's median, 16, 54 and 47 % those of the others.
        #expect(RecordedUsers.plugLevel(0) == 0)
        #expect(RecordedUsers.plugLevel(1) == 1)
        let users = [0.5, 0.5 + 0.4 * 6 / 38, 0.1 * 0.22 / 0.36, 0.1 + 0.4 * 9 / 34]
        #expect(abs(RecordedUsers.plugLevel(0.22) - users.reduce(0, +) / 4) < 1e-9)
        #expect(RecordedUsers.hits.count == 7)
        #expect(abs(RecordedUsers.hits[0] - 0.3485) < 1e-9)
        #expect(abs(RecordedUsers.gap(exp(4.85)) - (0.5 + 0.57 + 0.498) / 3) < 0.01)
        #expect(abs(RecordedUsers.appsPerSession.reduce(0, +) - 1) < 0.01)
    }
}
