/// The whole phone: events per second and nanoseconds per user action.
enum PhoneCase {
    static func run(into report: Report) { report.note("the phone is not measured yet") }

    static func steady(days: Int) {}
}
