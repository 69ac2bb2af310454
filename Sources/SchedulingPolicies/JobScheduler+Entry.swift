// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension JobScheduler {
    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "jobscheduler", summary: "Android's jobs: standby buckets with quotas, Doze, forced batching.",
            source: "AOSP JobSchedulerService, QuotaController, AppStandbyController, DeviceIdleController",
            family: .android, needs: [.apps, .charging, .network]),
        Parameters(),
        [
            Parameter(
                \.usesPresentQuotas, "quotas", .choice(["legacy": false, "present": true, "none": nil]),
                "Run time, jobs and sessions by bucket: Android 12 to 15, Android 16, or no limits"),
            Parameter(
                \.doze, "doze", .choice(["full": .full, "light": .light, "none": .off, "motion": .motion]),
                "Doze while locked off the charger: deep as if the phone lay still, light, or deep until it moves"),
            Parameter(
                \.batch, "batch", .number, 1...1000,
                "Number of ready jobs at which jobs of unused apps start (JobSchedulerService: 5)"),
            Parameter(
                \.cellularBatch, "cellular-batch", .number, 1...1000,
                "Number of ready jobs at which a job for cellular starts (3 with the newer flag)"),
            Parameter(\.batchDelay, "batch-delay", .duration, 0...86400, "Longest wait for a batch (31 min)"),
            Parameter(
                \.isFlexible, "flexible", .choice(["off": false, "on": true]),
                "Whether the system adds constraints that drop as a job ages (AOSP ships it without effect)"),
            Parameter(\.concurrency, "concurrency", .number, 1...1000, "Jobs at once (16 on phones of up to 6 GB)"),
            Parameter(
                \.runsByQuota, "runtime", .choice(["phone": false, "quota": true]),
                "Run time of a job: the phone's limit, or as long as its quota lasts (30 min with a charger)"),
            Parameter(
                \.predictor, "predictor", .fraction, 0...1,
                "Likelihood of an open within half an hour that makes an app active, half of it for the next bucket "
                    + "and so on; 0 without a predictor (assumption, 5 to 50 %)"),
        ]
    ) { parameters, _ in JobScheduler(parameters) }
}
