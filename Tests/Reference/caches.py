# SPDX-License-Identifier: GPL-3.0-or-later
"""Hits of plain caches, each rule as its paper has it; `python3 caches.py` writes caches.csv anew.

LRU; FIFO; LFU with counts that outlive absences (Breslau et al. 1999), ties to the last use; LRU-2 with a history that is
kept for ever (O'Neil et al. 1993); SIEVE (Zhang et al., NSDI 2024); ARC (Megiddo and Modha, FAST 2003, figure 4);
S3-FIFO (Yang et al., SOSP 2023), whose ghosts are the deaths in the small queue that are no further back than nine tenths
of the residents; 2Q (Johnson and Shasha, VLDB 1994, the full version); W-TinyLFU (Einziger et al. 2017) with exact counts;
LeCaR (Vietri et al., HotStorage 2018), which draws from SplitMix64 with the seed 7. The last three do not know their room
before they are full, as on a phone, and have the first 3000 requests only."""

import collections
import math
import os

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "caches.csv")
ROOMS = (5, 20, 80)


def trace(length=20_000, apps=200):
    """Requests that favour small numbers, from the generator of Knuth's MMIX."""
    state = 1

    def uniform():
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) / 2**31

    return [int(apps * uniform() * uniform()) for _ in range(length)]


def ranked(requests, room, rank):
    """Whoever has the least rank of its past requests and its arrival leaves."""
    past, came, hits = collections.defaultdict(list), {}, 0
    for time, app in enumerate(requests):
        if app in came:
            hits += 1
        else:
            if len(came) == room:
                del came[min(came, key=lambda other: rank(past[other], came[other]))]
            came[app] = time
        past[app].append(time)
    return hits


def sieve(requests, room):
    """A list from the newest to the oldest, a hand that goes from the old end to the new one."""
    queue, visited, hand, hits = [], set(), None, 0
    for app in requests:
        if app in queue:
            hits += 1
            visited.add(app)
            continue
        if len(queue) == room:
            at = queue.index(hand) if hand is not None else room - 1
            while queue[at] in visited:
                visited.remove(queue[at])
                at = at - 1 if at > 0 else room - 1
            hand = queue[at - 1] if at > 0 else None
            del queue[at]
        queue.insert(0, app)
    return hits


def arc(requests, room):
    """T1, T2, B1 and B2 as lists, the least recent first."""
    t1, t2, b1, b2, target, hits = [], [], [], [], 0.0, 0

    def replace(in_b2):
        if len(t1) + len(t2) < room:
            return
        if t1 and (len(t1) > target or in_b2 and len(t1) == target or not t2):
            b1.append(t1.pop(0))
        else:
            b2.append(t2.pop(0))

    for app in requests:
        if app in t1 or app in t2:
            hits += 1
            (t1 if app in t1 else t2).remove(app)
            t2.append(app)
        elif app in b1:
            target = min(room, target + max(1, len(b2) / len(b1)))
            replace(False)
            b1.remove(app)
            t2.append(app)
        elif app in b2:
            target = max(0, target - max(1, len(b1) / len(b2)))
            replace(True)
            b2.remove(app)
            t2.append(app)
        else:
            if len(t1) + len(b1) == room:
                if len(t1) < room:
                    b1.pop(0)
                    replace(False)
                else:
                    t1.pop(0)
            elif len(t1) + len(t2) + len(b1) + len(b2) >= room:
                if len(t1) + len(t2) + len(b1) + len(b2) == 2 * room:
                    b2.pop(0)
                replace(False)
            t1.append(app)
    return hits


def s3_fifo(requests, room):
    """A small and a main queue, the oldest first."""
    small, main, uses, ghosts, hits = [], [], {}, [], 0

    def evict():
        while True:
            if small and (10 * len(small) >= len(small) + len(main) or not main):
                while small:
                    oldest = small.pop(0)
                    if uses[oldest] <= 1:
                        ghosts.append(oldest)
                        del uses[oldest]
                        return
                    uses[oldest] = 0
                    main.append(oldest)
            else:
                oldest = main.pop(0)
                if uses[oldest] == 0:
                    del uses[oldest]
                    return
                uses[oldest] -= 1
                main.append(oldest)

    for app in requests:
        if app in uses:
            hits += 1
            uses[app] = min(3, uses[app] + 1)
            continue
        if len(uses) == room:
            evict()
        # The last ghost is the first; an app that came back leaves a gap among them.
        known = app in ghosts and 10 * ghosts[::-1].index(app) < 9 * len(uses)
        ghosts = [ghost if ghost != app else None for ghost in ghosts[-2 * room:]]
        uses[app] = 0
        (main if known else small).append(app)
    return hits


def two_queues(requests, room):
    """A1in and Am as lists, the next to leave first; A1out as whom A1in lost."""
    line, main, lost, hits = [], [], [], 0
    for app in requests:
        if app in line or app in main:
            hits += 1
            if app in main:
                main.remove(app)
                main.append(app)
            continue
        known = app in lost
        if known:
            lost.remove(app)
        if len(line) + len(main) == room:
            if len(line) > max(1, room // 4) or not main:
                lost.append(line.pop(0))
                del lost[: max(0, len(lost) - max(1, room // 2))]
            else:
                main.pop(0)
        (main if known else line).append(app)
    return hits


def w_tinylfu(requests, room):
    """A window, a probation and a protected list, the next to leave first."""
    window, probation, protected, hits = [], [], [], 0
    counts, uses, is_full = collections.Counter(), 0, False
    seats = max(1, room // 100)
    for app in requests:
        counts[app] = min(15, counts[app] + 1)
        uses += 1
        if is_full and uses >= 10 * room:
            uses //= 2
            for other in counts:
                counts[other] //= 2
        if app in window:
            hits += 1
            window.remove(app)
            window.append(app)
        elif app in probation or app in protected:
            hits += 1
            (probation if app in probation else protected).remove(app)
            protected.append(app)
            while is_full and len(protected) > int(0.8 * (room - seats)):
                probation.append(protected.pop(0))
        else:
            if len(window) + len(probation) + len(protected) == room:
                is_full = True
                while len(protected) > int(0.8 * (room - seats)):
                    probation.append(protected.pop(0))
                main = probation + protected
                if len(window) >= seats or not main:
                    candidate = window[0]
                    if main and counts[candidate] > counts[main[0]]:
                        (probation if probation else protected).pop(0)
                        probation.append(window.pop(0))
                    else:
                        window.pop(0)
                else:
                    (probation if probation else protected).pop(0)
            while len(window) >= seats:
                probation.append(window.pop(0))
            window.append(app)
    return hits


def uniforms(state):
    """SplitMix64 (Steele, Lea and Flood 2014)."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield ((z ^ z >> 31) >> 11) / 2**53


def lecar(requests, room):
    """Residents in the order of their last use; of each rule the victims and when they left."""
    residents, counts, weights, hits = [], {}, [0.5, 0.5], 0
    lost = [[], []]
    draws = uniforms(7)
    for time, app in enumerate(requests):
        if app in residents:
            hits += 1
            residents.remove(app)
        else:
            for rule in (0, 1):
                for death in [death for death in lost[rule] if death[0] == app]:
                    lost[rule].remove(death)
                    weights[1 - rule] *= math.exp(0.45 * 0.005 ** ((time - death[1]) / room))
                    weights = [weight / sum(weights) for weight in weights]
                    break
                else:
                    continue
                break
            else:
                counts[app] = 0
            if len(residents) == room:
                choices = [residents[0], min(residents, key=lambda other: (counts[other], residents.index(other)))]
                rule = 0 if next(draws) < weights[0] else 1
                if choices[0] != choices[1]:
                    lost[rule].append((choices[rule], time))
                    del lost[rule][: max(0, len(lost[rule]) - room)]
                residents.remove(choices[rule])
        counts[app] += 1
        residents.append(app)
    return hits


PHONE_RULES = {"two-queues": two_queues, "w-tinylfu": w_tinylfu, "lecar": lecar}

RULES = {
    "lru": lambda requests, room: ranked(requests, room, lambda past, came: past[-1]),
    "fifo": lambda requests, room: ranked(requests, room, lambda past, came: came),
    "lfu": lambda requests, room: ranked(requests, room, lambda past, came: (len(past), past[-1])),
    "lru-2": lambda requests, room: ranked(
        requests, room, lambda past, came: (past[-2] if len(past) > 1 else -1, past[-1])),
    "sieve": sieve,
    "arc": arc,
    "s3-fifo": s3_fifo,
}


def lines():
    requests = trace()
    return ["rule,room,hits"] + [
        f"{rule},{room},{hits(requests, room)}" for rule, hits in RULES.items() for room in ROOMS] + [
        f"{rule},{room},{hits(requests[:3000], room)}" for rule, hits in PHONE_RULES.items() for room in ROOMS]


if __name__ == "__main__":
    with open(TABLE, "w") as file:
        file.write("\n".join(lines()) + "\n")
