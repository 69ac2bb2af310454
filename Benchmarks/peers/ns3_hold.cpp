// The hold model in ns-3, with its priority-queue scheduler and with its default, a map.
#include "measure.hpp"
#include <ns3/core-module.h>

static Random source(1);
static long left;

static void come(uint32_t slot) {
    ns3::Simulator::Schedule(ns3::NanoSeconds((int64_t)(source.exponential() * 1e9)), &come, slot);
    if (--left == 0) ns3::Simulator::Stop();
}

static void hold(const char* subject, const char* scheduler, long size) {
    const long operations = 500'000;
    ns3::ObjectFactory factory;
    factory.SetTypeId(scheduler);
    ns3::Simulator::SetScheduler(factory);
    for (long i = 0; i < size; i++)
        ns3::Simulator::Schedule(ns3::NanoSeconds((int64_t)(source.exponential() * 1e9)), &come, (uint32_t)i);
    auto run = [&](long count) {
        left = count;
        ns3::Simulator::Run();
    };
    run(std::max(operations, 2 * size));
    print("hold", subject, size, nanoseconds(operations, [&] { run(operations); }), "ns/event");
    ns3::Simulator::Destroy();
}

int main() {
    for (long size : {1'000L, 10'000L, 100'000L}) {
        hold("ns3-priority-queue", "ns3::PriorityQueueScheduler", size);
        hold("ns3-map", "ns3::MapScheduler", size);
    }
}
