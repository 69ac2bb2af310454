// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Vocabulary

extension Visits {
    /// Measures of visits.
    package struct Measures: Sendable {
        let resumes: AppCount
        let warm: AppCount
        let cold: AppCount
        let wait: AppDistribution
        let slow: AppCount
        let missed: AppCount
        let regrettedKills: AppCount
        let restored: AppCount
        let relaunched: AppCount
        let contentAge: AppDistribution
        let sinceRefresh: AppCount
        let refreshableOpens: AppCount
        let thawed: AppCount
        let prewarmed: AppCount
        let givenUp: AppCount
        let leaveWait: AppCount
        let returnBursts: AppCount
        /// Number of opens for each reason, by the reason's raw value.
        let openedBy: [AppCount]
        let staleOpens: AppCount
        let contentOpens: AppCount
        let leastFetches: Count
        let leastRelaunches: Count
        let leastWait: Count

        package init(_ builder: inout MeasureBuilder) {
            resumes = builder.perDayOfApp("resumes_per_day", .higher, "opens of an app whose process was alive")
            warm = builder.perDayOfApp(
                "warm_launches_per_day", .lower, "opens with cached file pages but no process")
            cold = builder.perDayOfApp(
                "cold_launches_per_day", .lower, "opens with neither a process nor cached file pages")
            builder.perDay("relaunches_per_day", .lower, "warm and cold opens by the user", of: [warm, cold])
            let (resumes, warm, cold, wait) = (resumes, warm, cold, builder.appDistribution())
            self.wait = wait
            builder.appMetric("relaunch_share", "1", .lower, "relaunches as a share of all opens") { reading in
                let relaunches = reading[warm] + reading[cold]
                let opens = relaunches + reading[resumes]
                return opens == 0 ? .nan : relaunches / opens
            }
            thawed = builder.appCount()
            builder.share(
                "thawed_open_share", .neutral,
                "share of the opens that resumed an app which the freezer had written to flash", thawed,
                of: [resumes, warm, cold])
            prewarmed = builder.appCount()
            builder.share(
                "prewarmed_open_share", .higher,
                "share of the opens that found a process which the system had prewarmed", prewarmed,
                of: [resumes, warm, cold])
            builder.appMetric(
                "launch_wait_s_per_day", "s/d", .lower, "time the user waits for apps to open or resume"
            ) { $0[wait].sum / $0.days }
            builder.quantile(
                "launch_ms_p95", "ms", .lower, "95th percentile of the time an open takes (to within 1 %)", 0.95,
                of: wait, scale: 1000)
            slow = builder.appCount()
            builder.share(
                "slow_open_share", .lower, "share of the opens that take longer than a second", slow,
                of: [resumes, warm, cold])
            missed = builder.perDayOfApp(
                "missed_visits_per_day", .lower,
                "visits that did not happen, because the battery was dead, the system had removed the app, or the user "
                    + "had given it up")
            regrettedKills = builder.perDayOfApp(
                "regretted_kills_per_day", .lower,
                "opens of an app without a process, at most 10 minutes after jetsam killed the app; an app that died "
                    + "on screen and is reopened at once does not count"
            )
            (restored, relaunched) = (builder.appCount(), builder.appCount())
            builder.share(
                "restored_share", .higher,
                "share of the relaunches before which the app had saved everything that the user did; first visits do "
                    + "not count, and after a force quit nothing counts as saved",
                restored,
                of: [relaunched])
            contentAge = builder.appDistribution()
            builder.mean(
                "content_age_s_mean", "s", .lower,
                "mean age of the newest content that an app with content has not fetched when opened; zero if nothing "
                    + "is missing",
                of: contentAge)
            builder.quantile(
                "content_age_s_p95", "s", .lower, "95th percentile of the age in content_age_s_mean (to within 1 %)",
                0.95,
                of: contentAge)
            builder.alias("freshness_s_mean", of: "content_age_s_mean")
            builder.alias("freshness_s_p95", of: "content_age_s_p95")
            givenUp = builder.perDayOfApp(
                "given_up_per_day", .lower,
                "apps that the user gave up because work in the app was lost (gives_up_after_loss)")
            leaveWait = builder.perDayOfApp(
                "leave_wait_s_per_day", unit: "s/d", .lower,
                "time by which an app's work in willResignActive delays the switcher, the home screen or the next app; "
                    + "the wait for the next app includes this time")
            returnBursts = builder.perDayOfApp(
                "return_bursts_per_day", .neutral,
                "times that an app made all its requests at once because the user came back to it")
            openedBy = OpenReason.allCases.map { reason in
                builder.perDayOfApp("opens_by_\(reason.name)_per_day", .neutral, "opens \(reason.meaning)")
            }
            (staleOpens, contentOpens) = (builder.appCount(), builder.appCount())
            builder.share(
                "stale_open_share", .lower,
                "share of opens at which the app's copy of its content is older than the persona's fresh_for, among "
                    + "opens of apps with content",
                staleOpens, of: [contentOpens])
            leastFetches = builder.perDay(
                "least_fetch_occasions_per_day", .neutral,
                "smallest number of fetch occasions, over all possible schedules, that keeps every app's copy at most "
                    + "fresh_for old at each open; fetches during the user's sessions do not count"
            )
            leastRelaunches = builder.perDay(
                "least_relaunches_per_day", .neutral,
                "lower bound on relaunches_per_day over all orders of eviction; opens, background work and daemons "
                    + "are those of this run, and each app has its smallest possible size"
            )
            leastWait = builder.perDay(
                "least_launch_wait_s_per_day", unit: "s/d", .neutral,
                "lower bound on the time that the user waits for apps to open or resume, under the conditions of "
                    + "least_relaunches_per_day")
            (sinceRefresh, refreshableOpens) = (builder.appCount(), builder.appCount())
            builder.mean(
                "since_refresh_s_mean", "s", .lower,
                "mean time from an app's last successful refresh to an open by the user; before the first refresh, "
                    + "from the start of the run; only apps that request refreshes",
                sinceRefresh, over: refreshableOpens)
        }
    }
}
