// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

@testable import ForeignPolicies

/// Policies in shared libraries, built here by the C compiler that comes with the toolchain.
@Suite struct LibraryTests {
    private let foreign = ForeignPolicies.open

    /// Ranks by an echo of every field, so that a field that arrives wrong moves the rank.
    static let echo = """
        static double rank(void *state, const flotsam_candidate *c, flotsam_time now) {
            (void)state;
            if (c->app != 7 || c->band != 40 || c->state != FLOTSAM_SUSPENDED || c->footprint != 120 << 20) return 1;
            if (c->resident != 90 << 20 || c->band_set != FLOTSAM_SECONDS(50)) return 2;
            if (c->launched != FLOTSAM_SECONDS(10)) return 2;
            if (c->last_foreground != FLOTSAM_SECONDS(45) || c->opens != 3 || c->relaunch_time != 900000000) return 3;
            if (c->relaunch_energy != 2.5 || c->is_system || now != FLOTSAM_SECONDS(60)) return 4;
            return c->next_open == FLOTSAM_NEVER ? 100 : flotsam_in_seconds(c->next_open);
        }
        """

    static func eviction(_ about: String = "", _ more: String = "") -> String {
        """
        const flotsam_eviction *flotsam_eviction_policy(uint32_t version) {
            static const flotsam_eviction policy = {
                .about = {.version = FLOTSAM_POLICY_VERSION, .name = "mine", \(about)}, .rank = rank, \(more)};
            return version == 1 ? &policy : NULL;
        }
        """
    }

    static func scheduling(_ about: String = "", _ more: String = "") -> String {
        """
        const flotsam_scheduling *flotsam_scheduling_policy(uint32_t version) {
            static const flotsam_scheduling policy = {
                .about = {.version = FLOTSAM_POLICY_VERSION, .name = "mine", \(about)}, .decide = decide, \(more)};
            return version == 1 ? &policy : NULL;
        }
        """
    }

    @Test func `a library sees every field of a candidate, the future only as an oracle`() throws {
        let workshop = try Workshop()
        for (name, about, expected) in [("plain", "", 100.0), ("oracle", ".is_oracle = true,", 4000)] {
            let policy = try foreign.eviction(try workshop.library(name, Self.echo + Self.eviction(about)))
            #expect(policy.entry.descriptor.isOracle == (expected == 4000))
            var made = policy.entry.make(policy.entry.descriptor.defaultArguments(seed: 1))
            #expect(made.rank(candidate, at: .seconds(60)) == expected)
            #expect(made.rankLifetime == nil && !made.replacesTrigger)
        }
    }

    @Test func `a library sees every field of a request and of the device, and its answer arrives whole`() throws {
        let workshop = try Workshop()
        let code = """
            static flotsam_decision decide(void *state, const flotsam_request *r, const flotsam_device *d) {
                (void)state;
                bool same = r->app == 9 && r->kind == FLOTSAM_REFRESH && r->submitted == FLOTSAM_SECONDS(100)
                    && r->earliest_begin == FLOTSAM_SECONDS(200) && r->deadline == FLOTSAM_SECONDS(9000)
                    && !r->requires_power && r->requires_network && r->last_opened == FLOTSAM_SECONDS(30)
                    && r->last_run == FLOTSAM_SECONDS(60) && r->open_likelihood == 0.25 && r->expected_bytes == 5000
                    && r->expected_duration == FLOTSAM_SECONDS(8) && r->screen_cycles_since_opened == 4
                    && r->screen_time_since_opened == FLOTSAM_SECONDS(77) && r->next_open == FLOTSAM_NEVER
                    && d->now == FLOTSAM_SECONDS(300) && d->battery_level == 0.5 && d->network == FLOTSAM_NETWORK_WIFI
                    && d->pressure == FLOTSAM_PRESSURE_WARNING && d->running_launches == 2 && d->locked
                    && d->cellular_budget_left == 0.75 && d->thermal_level == 2 && !d->plugged_in;
                flotsam_decision answer = flotsam_wait(FLOTSAM_OWN_RULE + 1, FLOTSAM_SECONDS(400),
                    FLOTSAM_ON_PLUGGED_IN | FLOTSAM_ON_CAMERA_STOPPED);
                answer.score = same ? 0.5 : 0;
                answer.threshold = 0.625;
                return answer;
            }
            static const flotsam_rule_text rules[] = {{"one", "one held"}, {"two", "two held"}};
            """
        let library = try workshop.library("all", code + Self.scheduling(".rules = rules, .rule_count = 2,"))
        let policy = try foreign.scheduling(library)
        #expect(policy.entry.descriptor.rules == [RuleText("one", "one held"), RuleText("two", "two held")])
        var made = policy.entry.make(policy.entry.descriptor.defaultArguments(seed: 1))
        var view = request
        view.screenCyclesSinceOpened = 4
        view.screenTimeSinceOpened = .seconds(77)
        view.nextOpen = .seconds(500)
        var device = DeviceConditions(now: .seconds(300))
        (device.batteryLevel, device.network, device.pressure, device.runningLaunches) = (0.5, .wifi, .warning, 2)
        (device.cellularBudgetLeft, device.thermalLevel) = (0.75, 2)
        let answer = made.decide(view, device)
        #expect(!answer.proceed && answer.score == 0.5 && answer.threshold == 0.625)
        #expect(answer.ownRule == 1 && answer.reconsider == .seconds(400))
        #expect(answer.wakeOn == [.pluggedIn, .cameraStopped])
    }

    @Test func `the examples in C answer as the built-in policies do`() throws {
        let workshop = try Workshop()
        for (name, builtIn) in [("lru", LeastRecentlyUsed.entry), ("jetsam", Jetsam.entry)] {
            let library = ForeignCode.library(path: try workshop.compile(try workshop.example(name + ".c"), name))
            let entry = try foreign.eviction(library).entry
            var mine = entry.make(entry.descriptor.defaultArguments(seed: 1))
            var theirs = builtIn.make(builtIn.descriptor.defaultArguments(seed: 1))
            #expect(mine.rank(candidate, at: .zero) == theirs.rank(candidate, at: .zero))
        }
        let code = ForeignCode.library(path: try workshop.compile(try workshop.example("periodic.c"), "periodic"))
        let entry = try foreign.scheduling(code).entry
        let parameter = try #require(entry.descriptor.parameters.first)
        #expect(parameter.name == "every" && parameter.dimension == .duration && parameter.range == 1...604_800)
        var mine = entry.make(PolicyArguments(values: [240], seed: 1))
        let early = mine.decide(request, DeviceConditions(now: .seconds(299)))
        #expect(!early.proceed && early.rule == .rateLimit && early.reconsider == .seconds(300))
        #expect(mine.decide(request, DeviceConditions(now: .seconds(300))).proceed)
    }

    @Test func `a policy that can copy its state is a value, one that cannot is a class`() throws {
        let workshop = try Workshop()
        let code = """
            #include <stdlib.h>
            static void *create(const flotsam_arguments *a) { int *n = malloc(sizeof *n); *n = (int)a->seed; return n; }
            static double rank(void *state, const flotsam_candidate *c, flotsam_time now) {
                (void)c, (void)now;
                return ++*(int *)state;
            }
            """
        let copy = "static void *copy(const void *s) { int *n = malloc(sizeof *n); *n = *(const int *)s; return n; }"
        let plain = ".create = create, .destroy = free,"
        let entry = try foreign.eviction(
            try workshop.library("value", code + copy + Self.eviction("", plain + " .copy = copy,"))
        ).entry
        var first = entry.make(PolicyArguments(values: [], seed: 10))
        #expect(first.rank(candidate, at: .zero) == 11)
        var second = first
        #expect(second.rank(candidate, at: .zero) == 12 && second.rank(candidate, at: .zero) == 13)
        #expect(first.rank(candidate, at: .zero) == 12)
        let shared = try foreign.eviction(try workshop.library("class", code + Self.eviction("", plain))).entry
        #expect(type(of: shared.make(PolicyArguments(values: [], seed: 1))) is AnyClass)
        #expect(!(type(of: first) is AnyClass))
    }

    @Test func `a library hears who died and who was opened, surveys, and brings a trigger`() throws {
        let workshop = try Workshop()
        let code = """
            static double heard;
            static double rank(void *s, const flotsam_candidate *c, flotsam_time now) {
                (void)s, (void)c, (void)now;
                return heard;
            }
            static void evicted(void *s, const flotsam_candidate *c, flotsam_time now) {
                (void)s, (void)now;
                heard += c->app;
            }
            static void opened(void *s, int32_t app, flotsam_time now) { (void)s, (void)now; heard += 100 * app; }
            static void survey(void *s, const flotsam_candidate *c, size_t count, flotsam_time now) {
                (void)s, (void)now;
                for (size_t i = 0; i < count; i++) heard += 1e4 * c[i].app;
            }
            static bool trigger(void *s, const flotsam_memory *m, flotsam_time now, double *rank) {
                (void)s, (void)now;
                *rank = (double)(m->refaulted >> 20);
                return m->free < 400 << 20;
            }
            """
        let more = ".did_evict = evicted, .did_open = opened, .survey = survey, .highest_rank_to_die = trigger, "
        let library = try workshop.library(
            "hears", code + Self.eviction("", more + ".rank_lifetime = FLOTSAM_EACH_VICTIM"))
        let entry = try foreign.eviction(library).entry
        #expect(entry.descriptor.replacesTrigger)
        var policy = entry.make(PolicyArguments(values: [], seed: 1))
        #expect(policy.replacesTrigger && policy.rankLifetime == .zero)
        policy.didEvict(candidate, at: .zero)
        policy.didOpen(AppID(3), at: .zero)
        policy.survey([candidate, candidate], at: .zero)
        #expect(policy.rank(candidate, at: .zero) == 7 + 300 + 140_000)
        #expect(policy.highestRankToDie(memory, at: .zero) == 5)
        var roomy = memory
        roomy.free = .mebibytes(500)
        #expect(policy.highestRankToDie(roomy, at: .zero) == nil)
    }

    @Test func `what is no library, or none of this kind or version, is said`() throws {
        let workshop = try Workshop()
        let text = try workshop.write("text.so", "no library")
        #expect(message { try foreign.eviction(.library(path: text)) }?.hasPrefix("cannot load \(text): ") == true)
        let none = workshop.path("none.so")
        let missing = message { try foreign.eviction(.library(path: none)) }
        #expect(missing == "cannot read \(none): No such file or directory")
        let library = try workshop.library("plain", Self.echo + Self.eviction())
        #expect(message { try foreign.scheduling(library) } == "\(workshop.path("plain.so")) has no scheduling policy")
        let other = try workshop.library(
            "other", Self.echo + Self.eviction().replacing("version == 1", with: "version == 2"))
        #expect(message { try foreign.eviction(other) }?.contains("for version 1 of flotsam_policy.h") == true)
        let old = try workshop.library(
            "old", Self.echo + Self.eviction().replacing("FLOTSAM_POLICY_VERSION", with: "7"))
        #expect(message { try foreign.eviction(old) }?.contains("was built for version 7") == true)
    }

    @Test(arguments: [
        (".name = \"Bad Name\",", "its name \"Bad Name\" is not valid"),
        (".parameters = p, .parameter_count = 1,", "the default of \"x\" lies outside its own range"),
        (".parameters = q, .parameter_count = 2,", "two parameters are named \"x\""),
    ])
    func `what a library says of itself is checked`(about: String, problem: String) throws {
        let workshop = try Workshop()
        let parameters = """
            static const flotsam_parameter p[] = {{.name = "x", .usual = 3, .highest = 1}}, q[] = {
                {.name = "x", .highest = 1}, {.name = "x", .highest = 1}};
            const void *kept[] = {p, q};
            """
        let text = Self.eviction(about).replacing("    .name = \"mine\", .name", with: ".name")
        let isNamed = about.contains(".name")
        let library = try workshop.library(
            "bad", parameters + Self.echo + (isNamed ? text.replacing(".name = \"mine\", ", with: "") : text))
        #expect(message { try foreign.eviction(library) }?.contains(problem) == true)
    }

    @Test func `the code of a policy is known by its content`() throws {
        let workshop = try Workshop()
        let first = try foreign.eviction(try workshop.library("a", Self.echo + Self.eviction()))
        let other = try foreign.eviction(
            try workshop.library("b", Self.echo + Self.eviction().replacing("mine", with: "other")))
        #expect(first.checksum != other.checksum)
        #expect(first.files == [workshop.path("a.so")])
    }

    // MARK: Nonsense

    private static func ask(_ name: String, _ body: String) throws {
        let workshop = try Workshop()
        let code = "static flotsam_decision decide(void *s, const flotsam_request *r, const flotsam_device *d) "
        let unused = "{ (void)s, (void)r, (void)d; flotsam_decision a = flotsam_wait(0, 0, 0); \(body) return a; }\n"
        let entry = try ForeignPolicies.open.scheduling(try workshop.library(name, code + unused + scheduling())).entry
        var policy = entry.make(PolicyArguments(values: [], seed: 1))
        _ = policy.decide(request, DeviceConditions(now: .seconds(300)))
    }

    @Test func `a rule that a library does not have ends the run`() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            try Self.ask("rule", "a.rule = 256;")
        }
        #expect(text(result).contains("returned rule 256, but it has no such rule"))
    }

    @Test func `a change that does not exist ends the run`() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            try Self.ask("change", "a.wake_on = 1 << 14;")
        }
        #expect(text(result).contains("waits for a change that does not exist: 16384"))
    }

    @Test func `a score that is no number ends the run`() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            try Self.ask("score", "a.score = NAN;")
        }
        #expect(text(result).contains("returned a score or threshold that is not finite"))
    }

    @Test func `a rank that is no number ends the run`() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            let workshop = try Workshop()
            let code = "static double rank(void *s, const flotsam_candidate *c, flotsam_time n) "
            let body = "{ (void)s, (void)c, (void)n; return NAN; }"
            let library = try workshop.library("nan", code + body + Self.eviction())
            let entry = try ForeignPolicies.open.eviction(library).entry
            var policy = entry.make(PolicyArguments(values: [], seed: 1))
            _ = policy.rank(candidate, at: .zero)
        }
        #expect(text(result).contains("ranked app 7 with NaN"))
    }

    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
}
