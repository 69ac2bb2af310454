// std::priority_queue of 16-byte entries in the order (time, insertion): hold, rescheduling by lazy deletion, and a bare
// M/M/1 loop of two clocks without any queue of events.
#include "measure.hpp"
#include <cstring>
#include <queue>
#include <vector>

struct Entry {
    uint64_t time;
    uint32_t insertion;
    uint32_t slot;
    bool operator<(const Entry& other) const {
        return time != other.time ? time > other.time : insertion > other.insertion;
    }
};

using Queue = std::priority_queue<Entry>;

static uint64_t hold_time(Random& random) { return (uint64_t)(random.exponential() * 1e9); }

static void hold(long size) {
    const long operations = 2'000'000;
    Random random(1);
    Queue queue;
    uint32_t insertion = 0;
    for (long i = 0; i < size; i++) queue.push({hold_time(random), insertion++, (uint32_t)i});
    auto run = [&](long count) {
        uint64_t sum = 0;
        for (long i = 0; i < count; i++) {
            Entry first = queue.top();
            queue.pop();
            sum += first.time;
            queue.push({first.time + hold_time(random), insertion++, first.slot});
        }
        keep(sum);
    };
    run(std::max(operations, 3 * size));
    print("hold", "std::priority_queue", size, nanoseconds(operations, [&] { run(operations); }), "ns/hold");
}

/// Moving an event pushes a new entry; the old one is dropped when it comes to the top.
static void reschedule(long size, int moves) {
    const long steps = 1'000'000;
    Random random(1);
    Queue queue;
    std::vector<uint32_t> valid(size);
    uint32_t insertion = 0;
    auto schedule = [&](uint32_t slot, uint64_t time) {
        valid[slot] = insertion;
        queue.push({time, insertion++, slot});
    };
    for (long i = 0; i < size; i++) schedule((uint32_t)i, hold_time(random));
    auto run = [&](long count) {
        uint64_t sum = 0;
        while (count > 0) {
            Entry first = queue.top();
            queue.pop();
            if (valid[first.slot] != first.insertion) continue;
            sum += first.time;
            schedule(first.slot, first.time + hold_time(random));
            for (int i = 0; i < moves; i++) {
                uint32_t slot = random.below((uint32_t)size);
                schedule(slot, first.time + hold_time(random));
            }
            count--;
        }
        keep(sum);
    };
    run(std::max(steps, 2 * size));
    char name[32];
    std::snprintf(name, sizeof name, "reschedule%d", moves);
    double figure = nanoseconds(steps * (1 + moves), [&] { run(steps); });
    print(name, "std::priority_queue-lazy", size, figure, "ns/operation");
}

static void two_clocks() {
    const long customers = 10'000'000;
    double figure = nanoseconds(customers, [&] {
        Random arrivals(1), services(2);
        uint64_t now = 0, arrival = 0, departure = UINT64_MAX;
        double area = 0;
        for (long inside = 0, left = customers; left > 0;) {
            uint64_t next = std::min(arrival, departure);
            area += (double)(next - now) * inside;
            now = next;
            if (arrival <= departure) {
                inside++;
                arrival = now + (uint64_t)(arrivals.exponential() * 1e9);
                if (inside == 1) departure = now + (uint64_t)(services.exponential() * 0.9e9);
            } else {
                inside--;
                left--;
                departure = inside > 0 ? now + (uint64_t)(services.exponential() * 0.9e9) : UINT64_MAX;
            }
        }
        keep((uint64_t)area);
    });
    print("mm1", "c++-two-clock-loop", 1, figure, "ns/customer");
}

int main(int count, char** words) {
    for (int i = 1; i < count; i++) {
        if (!std::strcmp(words[i], "hold"))
            for (long size : {1'000L, 10'000L, 100'000L, 1'000'000L}) hold(size);
        if (!std::strcmp(words[i], "reschedule"))
            for (long size : {1'000L, 10'000L, 100'000L})
                for (int moves : {0, 1, 3}) reschedule(size, moves);
        if (!std::strcmp(words[i], "mm1")) two_clocks();
    }
}
