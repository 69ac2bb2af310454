// What the C++ peers share: processor time, medians of five, and the sampler of the simulator in C++ (xoshiro256++ and
// a ziggurat of 256 layers), so that a difference of figures is a difference of queues.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>

inline double processor_seconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

template <class Body> double nanoseconds(long operations, Body body) {
    double figures[5];
    for (double& figure : figures) {
        double start = processor_seconds();
        body();
        figure = (processor_seconds() - start) * 1e9 / operations;
    }
    std::sort(figures, figures + 5);
    return figures[2];
}

inline void print(const char* name, const char* subject, long size, double value, const char* unit) {
    std::printf("%s %s %ld %.3f %s\n", name, subject, size, value, unit);
    std::fflush(stdout);
}

/// Keeps a result alive.
inline void keep(uint64_t value) {
    if (value == 0x5eed5eeddeadbeefULL) std::puts("");
}

/// Blackman and Vigna's xoshiro256++.
struct Random {
    uint64_t state[4];

    explicit Random(uint64_t seed) {
        for (uint64_t& word : state) {
            uint64_t z = (seed += 0x9e3779b97f4a7c15ULL);
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
            word = z ^ (z >> 31);
        }
    }

    static uint64_t rotate(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

    uint64_t next() {
        uint64_t result = rotate(state[0] + state[3], 23) + state[0];
        uint64_t t = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= t;
        state[3] = rotate(state[3], 45);
        return result;
    }

    uint32_t below(uint32_t bound) { return (uint32_t)(((unsigned __int128)next() * bound) >> 64); }

    double uniform() { return (next() >> 11) * 0x1p-53; }

    double exponential();
};

/// Marsaglia and Tsang's ziggurat for the exponential density, 256 layers of equal area.
struct Ziggurat {
    double x[257], y[257];

    Ziggurat() {
        const double start = 7.69711747013104972, area = 3.949659822581572e-3;
        x[0] = area / std::exp(-start);
        x[1] = start;
        for (int i = 2; i < 256; i++) x[i] = -std::log(std::exp(-x[i - 1]) + area / x[i - 1]);
        x[256] = 0;
        for (int i = 0; i <= 256; i++) y[i] = std::exp(-x[i]);
    }
};

inline const Ziggurat ziggurat;

inline double Random::exponential() {
    double shift = 0;
    for (;;) {
        uint64_t bits = next();
        int layer = bits & 255;
        double value = (bits >> 11) * 0x1p-53 * ziggurat.x[layer];
        if (value < ziggurat.x[layer + 1]) return shift + value;
        if (layer == 0) {
            shift += ziggurat.x[1];
        } else if (ziggurat.y[layer] + uniform() * (ziggurat.y[layer + 1] - ziggurat.y[layer]) < std::exp(-value)) {
            return shift + value;
        }
    }
}
