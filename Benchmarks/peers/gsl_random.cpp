// GSL's Mersenne Twister: uniform and exponential numbers.
#include "measure.hpp"
#include <cstring>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

template <class Draw> static void measure(const char* subject, Draw draw) {
    const long draws = 5'000'000;
    double figure = nanoseconds(draws, [&] {
        double sum = 0;
        for (long i = 0; i < draws; i++) sum += draw();
        uint64_t bits;
        std::memcpy(&bits, &sum, sizeof bits);
        keep(bits);
    });
    print("random", subject, 1, figure, "ns/draw");
}

int main() {
    gsl_rng* generator = gsl_rng_alloc(gsl_rng_mt19937);
    measure("gsl-mt19937-uniform", [&] { return gsl_rng_uniform(generator); });
    measure("gsl-mt19937-exponential", [&] { return gsl_ran_exponential(generator, 1.0); });
    gsl_rng_free(generator);
}
