import Quantities
import Vocabulary

extension JobScheduler {
    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "jobscheduler", summary: "Android's jobs: standby buckets with quotas, Doze, forced batching.",
            source: "AOSP JobSchedulerService, QuotaController, AppStandbyController, DeviceIdleController",
            parameters: [
                .choice(
                    "quotas", of: ["legacy", "present", "none"],
                    meaning: "Run time, jobs and sessions by bucket: Android 12 to 15, Android 16, or no limits"),
                .choice(
                    "doze", of: ["full", "light", "none"],
                    meaning: "Deep doze while locked off the charger, as if the phone lay still (assumption), or light"),
                PolicyParameter(
                    name: "batch", dimension: .number, defaultValue: 5, range: 1...1000,
                    meaning: "Ready jobs that apps out of use wait for (JobSchedulerService: 5)"),
                PolicyParameter(
                    name: "cellular-batch", dimension: .number, defaultValue: 1, range: 1...1000,
                    meaning: "Ready jobs that a job for cellular waits for (3 where the newer flag is on)"),
                PolicyParameter(
                    name: "batch-delay", dimension: .duration, defaultValue: 1860, range: 0...86400,
                    meaning: "Longest wait for a batch (31 min)"),
                .choice(
                    "flexible", of: ["off", "on"],
                    meaning: "Whether the system adds wishes that drop as a job ages (AOSP ships it without effect)"),
                PolicyParameter(
                    name: "concurrency", dimension: .number, defaultValue: 16, range: 1...1000,
                    meaning: "Jobs at once (16 on phones of up to 6 GB)"),
            ], needs: [.apps, .charging, .network])
    ) { arguments in
        let values = arguments.values
        var parameters = Parameters()
        parameters.usesPresentQuotas = values[0] == 2 ? nil : values[0] == 1
        parameters.doze = DozeSchedule.Mode(rawValue: Int(values[1])) ?? .full
        parameters.batch = Int(values[2])
        parameters.cellularBatch = Int(values[3])
        parameters.batchDelay = .seconds(values[4])
        parameters.isFlexible = values[5] >= 0.5
        parameters.concurrency = Int(values[6])
        return JobScheduler(parameters)
    }
}
