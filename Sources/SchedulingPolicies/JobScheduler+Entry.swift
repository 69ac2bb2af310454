// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension JobScheduler {
    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "jobscheduler",
            summary: "Runs jobs as Android does, with standby buckets, quotas, Doze and forced batching.",
            source: "AOSP JobSchedulerService, QuotaController, AppStandbyController, DeviceIdleController",
            family: .android, needs: [.apps, .charging, .network]),
        Parameters(),
        [
            Parameter(
                \.usesPresentQuotas, "quotas", .choice(["legacy": false, "present": true, "none": nil]),
                "Limits of run time, jobs and sessions by bucket; legacy: Android 12 to 15; present: Android 16; none: "
                    + "no limits"),
            Parameter(
                \.doze, "doze", .choice(["full": .full, "light": .light, "none": .off, "motion": .motion]),
                "Doze of a locked phone without a charger; full: deep, as if the phone lay still; light: only light; "
                    + "none: no Doze; motion: deep until the phone moves"),
            Parameter(
                \.batch, "batch", .number, 1...1000,
                "Number of ready jobs at which jobs of unused apps start (JobSchedulerService: 5)"),
            Parameter(
                \.cellularBatch, "cellular-batch", .number, 1...1000,
                "Number of ready jobs at which a job that uses the mobile network starts (3 with a newer AOSP flag)"),
            Parameter(
                \.batchDelay, "batch-delay", .duration, 0...86400, "Longest wait of a job for a batch (AOSP: 31 min)"),
            Parameter(
                \.isFlexible, "flexible", .choice(["off": false, "on": true]),
                "Whether the system adds constraints to a job and drops them as the job ages (no effect in AOSP)"),
            Parameter(
                \.concurrency, "concurrency", .number, 1...1000,
                "Largest number of jobs that run at once (16 on phones of up to 6 GB)"),
            Parameter(
                \.runsByQuota, "runtime", .choice(["phone": false, "quota": true]),
                "Longest run time of a job: the phone's limit, or the rest of its quota (30 min with a charger)"),
            Parameter(
                \.predictor, "predictor", .fraction, 0...1,
                "Smallest likelihood of an open within half an hour for the active bucket; it halves for each further "
                    + "bucket; 0 for no predictor (assumption, 5 to 50 %)"),
        ]
    ) { parameters, _ in JobScheduler(parameters) }
}
