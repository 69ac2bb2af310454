/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies of the phone simulator Flotsam in a shared library.
 *
 * A library exports one or both of
 *
 *     const flotsam_eviction *flotsam_eviction_policy(uint32_t version);
 *     const flotsam_scheduling *flotsam_scheduling_policy(uint32_t version);
 *
 * which are called with FLOTSAM_POLICY_VERSION of the program and return a structure that lives as long as the library,
 * or NULL if the library cannot serve that version. Fields that are left zero have the usual meaning: `{.about = {...},
 * .rank = rank}` is a whole policy.
 *
 * Rules: a policy uses nothing from outside (no clock, no files, no random numbers except from `seed`). Otherwise the
 * same experiment no longer gives the same bytes. Views are the program's own memory: read them during the call only.
 * Several runs may share one process, so keep everything that a policy remembers in the state that `create` returns.
 */
#ifndef FLOTSAM_POLICY_H
#define FLOTSAM_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a structure below changes. */
#define FLOTSAM_POLICY_VERSION 1

/* Nanoseconds since midnight of the run's first day; a length of time in nanoseconds. */
typedef int64_t flotsam_time;
typedef int64_t flotsam_duration;

/* An instant that no run reaches; a length without end. */
#define FLOTSAM_NEVER INT64_MAX
/* A length of time in seconds, to the nearest nanosecond. */
#define FLOTSAM_SECONDS(x) ((flotsam_duration)((x) * 1e9 + ((x) < 0 ? -0.5 : 0.5)))

/* An instant or a length of time in seconds. */
static inline double flotsam_in_seconds(flotsam_time time) { return (double)time / 1e9; }

/* ---- Description of a policy ---- */

typedef enum flotsam_dimension {
    FLOTSAM_NUMBER,
    FLOTSAM_FRACTION, /* 0.5, written 0.5 or 50 % */
    FLOTSAM_DURATION, /* seconds */
    FLOTSAM_ENERGY,   /* joules */
    FLOTSAM_POWER,    /* watts */
    FLOTSAM_BYTES,
    FLOTSAM_CHOICE /* one of `words`; the value is its index */
} flotsam_dimension;

/* A parameter, written in brackets behind the library's path: mine.so[alpha=0.3]. */
typedef struct flotsam_parameter {
    const char *name; /* lower-case-words-like-these */
    flotsam_dimension dimension;
    double usual;           /* default, in SI units */
    double lowest, highest; /* range allowed */
    const char *meaning;
    const char *const *words; /* of a choice, ended by NULL */
} flotsam_parameter;

/* A rule of a scheduling policy's own: its name in tables and its part of a sentence of `flotsam why`. */
typedef struct flotsam_rule_text {
    const char *name;     /* lower-case-words-like-these */
    const char *sentence; /* "the battery showed enough" */
} flotsam_rule_text;

/* Parts of the workload without which the policy makes no sense. */
enum { FLOTSAM_NEEDS_APPS = 1, FLOTSAM_NEEDS_CHARGING = 2, FLOTSAM_NEEDS_NETWORK = 4, FLOTSAM_NEEDS_RADIO_TAIL = 8 };

typedef struct flotsam_about {
    uint32_t version; /* FLOTSAM_POLICY_VERSION */
    const char *name; /* lower-case-words-like-these */
    const char *summary;
    const char *source; /* paper or file that the rule comes from */
    const flotsam_parameter *parameters;
    size_t parameter_count;
    const flotsam_rule_text *rules; /* of a scheduling policy, 256 at most */
    size_t rule_count;
    bool is_oracle; /* reads `next_open`, which is FLOTSAM_NEVER for other policies */
    uint8_t needs;
} flotsam_about;

/* Values for creating a policy. */
typedef struct flotsam_arguments {
    const double *values; /* one for each parameter, in SI units, in the order of `parameters` */
    size_t count;
    uint64_t seed; /* bits that no other stream of the run shares */
} flotsam_arguments;

/* ---- Eviction: in which order do processes die? ----
 *
 * The same structure ranks for other decisions about memory, where an experiment names the library there. Under
 * `freezing` and `swap` the process that would die first goes to storage or is compressed first, and `did_evict`
 * reports it. Under `prelaunch` the app without a process that would die last gets one.
 */

enum {
    FLOTSAM_NOT_RUNNING,
    FLOTSAM_INACTIVE,
    FLOTSAM_ACTIVE,
    FLOTSAM_BACKGROUND,
    FLOTSAM_SUSPENDED,
    FLOTSAM_PREWARMED
};

/* A process that could die. */
typedef struct flotsam_candidate {
    int32_t app;  /* index; the same app has the same one under every policy */
    int16_t band; /* jetsam priority band, 0 to 210 */
    uint8_t state;
    int64_t footprint;            /* bytes: resident private memory and compressed memory at full size */
    int64_t resident;             /* bytes */
    flotsam_time band_set;        /* every set moves a process to the tail of its band's queue */
    flotsam_time launched;
    flotsam_time last_foreground; /* when the user last saw the app; 0 when never */
    int32_t opens;                /* by the user in this run */
    flotsam_duration relaunch_time;
    double relaunch_energy;       /* joules */
    flotsam_time next_open;       /* for oracles only */
    bool is_system;               /* a daemon or an extension, which no user opens */
} flotsam_candidate;

/* Memory in bytes, for policies with a trigger of their own. */
typedef struct flotsam_memory {
    int64_t total, free, file_backed, compressed, compressor_limit, refaulted;
} flotsam_memory;

/* Ranks are requested anew for each victim. */
#define FLOTSAM_EACH_VICTIM (-1)

typedef struct flotsam_eviction {
    flotsam_about about;
    /* The state of one run; NULL is a good state. Without `create` the policy remembers nothing. */
    void *(*create)(const flotsam_arguments *arguments);
    void (*destroy)(void *state);
    /* A second, independent state that continues from here: with it a run can be forked for what-if questions. */
    void *(*copy)(const void *state);
    /* The smallest rank dies first; never NaN. It must follow from the view and the state: the phone asks again when
     * the view has changed. It asks again after a time only if `rank_lifetime` sets one. */
    double (*rank)(void *state, const flotsam_candidate *candidate, flotsam_time now);
    void (*did_evict)(void *state, const flotsam_candidate *candidate, flotsam_time now);
    /* The user opened an app, running or not. */
    void (*did_open)(void *state, int32_t app, flotsam_time now);
    /* Optional trigger of the policy's own: the highest rank that may die now; returns false for none. */
    bool (*highest_rank_to_die)(void *state, const flotsam_memory *memory, flotsam_time now, double *rank);
    /* All candidates, before each is ranked anew because the lifetime of ranks is over. */
    void (*survey)(void *state, const flotsam_candidate *candidates, size_t count, flotsam_time now);
    flotsam_duration rank_lifetime; /* 0: for ever; or FLOTSAM_EACH_VICTIM, or so many nanoseconds */
} flotsam_eviction;

/* ---- Scheduling: may this background work start now, and if not, when to ask again? ---- */

enum { FLOTSAM_REFRESH, FLOTSAM_PROCESSING };
enum { FLOTSAM_NETWORK_NONE, FLOTSAM_NETWORK_WIFI, FLOTSAM_NETWORK_CELLULAR };
enum { FLOTSAM_PRESSURE_NORMAL, FLOTSAM_PRESSURE_WARNING, FLOTSAM_PRESSURE_CRITICAL };

/* Parts of the phone besides the processor that work switches on. */
enum {
    FLOTSAM_PART_NETWORK = 1,
    FLOTSAM_PART_VIBRATOR = 2,
    FLOTSAM_PART_SPEAKER = 4,
    FLOTSAM_PART_SCREEN = 8,
    FLOTSAM_PART_LOCATION = 16,
    FLOTSAM_PART_GPS = 32,
    FLOTSAM_PART_ACCELEROMETER = 64
};

/* A pending request for background work. */
typedef struct flotsam_request {
    int32_t app;
    uint8_t kind;
    flotsam_time submitted, earliest_begin, deadline;
    bool requires_power, requires_network;
    flotsam_time last_opened; /* by the user; 0 when never */
    flotsam_time last_run;    /* of this kind for the app; 0 when never */
    double open_likelihood;   /* in the next 30 minutes, learned from this user's past */
    int64_t expected_bytes;
    flotsam_duration expected_duration;
    flotsam_duration screen_time_since_opened;
    int32_t screen_cycles_since_opened;
    uint8_t hardware;            /* parts it switches on: FLOTSAM_PART_NETWORK and so on */
    bool is_exact, is_expedited; /* as Android's exact alarms, as its expedited jobs */
    bool is_unrestricted;        /* the user lets the app use the battery without restriction */
    flotsam_time next_open;      /* for oracles only */
} flotsam_request;

/* The device at the instant of the question. */
typedef struct flotsam_device {
    flotsam_time now;
    double battery_level; /* 0 to 1 */
    bool plugged_in;
    uint8_t network;
    bool radio_is_up; /* a transfer costs no promotion */
    bool screen_on, locked;
    flotsam_time locked_since;    /* meaningless while unlocked */
    flotsam_time unplugged_since; /* meaningless while on the charger */
    bool low_power_mode;
    uint8_t thermal_level; /* 0 nominal to 3 critical */
    double processor_busy; /* 0 to 1 */
    uint8_t pressure;
    bool camera_on;
    int32_t running_launches;
    flotsam_time herd_until;     /* launches are held back until then */
    double energy_budget_left;   /* of the day, 0 to 1 */
    double cellular_budget_left; /* of the day, 0 to 1 */
} flotsam_device;

/* Shared rules, by their names in tables; a policy's own rules are FLOTSAM_OWN_RULE + index. */
enum {
    FLOTSAM_RULE_IMMEDIATE,
    FLOTSAM_RULE_SCORED,
    FLOTSAM_RULE_BELOW_THRESHOLD,
    FLOTSAM_RULE_DEVICE_IN_USE,
    FLOTSAM_RULE_NOT_IDLE_LONG_ENOUGH,
    FLOTSAM_RULE_LOW_POWER_MODE,
    FLOTSAM_RULE_BATTERY_CRITICAL,
    FLOTSAM_RULE_THERMAL,
    FLOTSAM_RULE_MEMORY_PRESSURE,
    FLOTSAM_RULE_HERD,
    FLOTSAM_RULE_GROUP_LIMIT,
    FLOTSAM_RULE_RATE_LIMIT,
    FLOTSAM_RULE_ENERGY_BUDGET,
    FLOTSAM_RULE_CELLULAR_BUDGET,
    FLOTSAM_RULE_NOT_USED_RECENTLY,
    FLOTSAM_RULE_NEEDS_CHARGER,
    FLOTSAM_RULE_NEEDS_WIFI,
    FLOTSAM_RULE_DEADLINE_REACHED,
    FLOTSAM_RULE_CUSTOM,
    FLOTSAM_RULE_BATCH_WINDOW,
    FLOTSAM_RULE_JOINED_BATCH,
    FLOTSAM_RULE_HEARTBEAT,
    FLOTSAM_RULE_BACKLOG,
    FLOTSAM_RULE_BACK_OFF,
    FLOTSAM_RULE_QUOTA,
    FLOTSAM_RULE_DOZE,
    FLOTSAM_RULE_NOT_EXPECTED_SOON,
    FLOTSAM_RULE_BEFORE_USE,
    FLOTSAM_RULE_PROCESSOR_BUSY,
    FLOTSAM_RULE_CAMERA,
    FLOTSAM_OWN_RULE = 256
};

/* Changes of the device after which the policy is asked again. */
enum {
    FLOTSAM_ON_PLUGGED_IN = 1 << 0,
    FLOTSAM_ON_WIFI_JOINED = 1 << 1,
    FLOTSAM_ON_NETWORK_APPEARED = 1 << 2,
    FLOTSAM_ON_LOCKED = 1 << 3,
    FLOTSAM_ON_UNLOCKED = 1 << 4,
    FLOTSAM_ON_LOW_POWER_MODE_ENDED = 1 << 5,
    FLOTSAM_ON_BATTERY_RECOVERED = 1 << 6,
    FLOTSAM_ON_COOLED = 1 << 7,
    FLOTSAM_ON_LAUNCH_ENDED = 1 << 8,
    FLOTSAM_ON_PRESSURE_FELL = 1 << 9,
    FLOTSAM_ON_RADIO_UP = 1 << 10,
    FLOTSAM_ON_WORK_STARTED = 1 << 11,
    FLOTSAM_ON_CAMERA_STOPPED = 1 << 12,
    FLOTSAM_ON_MOVED = 1 << 13
};

/* The answer for one request. */
typedef struct flotsam_decision {
    bool proceed;
    uint16_t rule;
    uint16_t wake_on;        /* FLOTSAM_ON_... */
    double score, threshold; /* for tables; requests that wait for running work are asked by score */
    flotsam_time reconsider; /* when to ask again at the latest; FLOTSAM_NEVER when only a change can help */
} flotsam_decision;

static inline flotsam_decision flotsam_proceed(uint16_t rule) {
    flotsam_decision decision = {true, rule, 0, 1, 0, FLOTSAM_NEVER};
    return decision;
}

static inline flotsam_decision flotsam_wait(uint16_t rule, flotsam_time until, uint16_t wake_on) {
    flotsam_decision decision = {false, rule, wake_on, 0, 0, until};
    return decision;
}

typedef struct flotsam_scheduling {
    flotsam_about about;
    void *(*create)(const flotsam_arguments *arguments);
    void (*destroy)(void *state);
    void *(*copy)(const void *state);
    /* May this request, which nothing else forbids, start now? It is asked again at `reconsider` or at a change, and at
     * no other time. */
    flotsam_decision (*decide)(void *state, const flotsam_request *request, const flotsam_device *device);
    /* Work ended. */
    void (*did_finish)(void *state, const flotsam_request *request, bool found_new_content, flotsam_time now);
    /* A request was accepted, which may not run before its earliest begin. */
    void (*did_submit)(void *state, const flotsam_request *request, flotsam_time now);
    /* A pending request is gone without having started. */
    void (*did_withdraw)(void *state, const flotsam_request *request, flotsam_time now);
    bool rings_at_floor; /* requests are asked about exactly at their earliest begin, as alarms are */
    bool keeps_budgets;  /* the policy uses the day's budgets, so silent pushes are charged as well */
} flotsam_scheduling;

#define FLOTSAM_EVICTION_SYMBOL "flotsam_eviction_policy"
#define FLOTSAM_SCHEDULING_SYMBOL "flotsam_scheduling_policy"
typedef const flotsam_eviction *(*flotsam_eviction_export)(uint32_t version);
typedef const flotsam_scheduling *(*flotsam_scheduling_export)(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif
