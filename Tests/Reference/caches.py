# SPDX-License-Identifier: GPL-3.0-or-later
"""Hits of plain caches, each rule as its paper has it; `python3 caches.py` writes caches.csv anew.

LRU; FIFO; LFU with counts that outlive absences (Breslau et al. 1999), ties to the last use; LRU-2 with a history that is
kept for ever (O'Neil et al. 1993); SIEVE (Zhang et al., NSDI 2024)."""

import collections
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


RULES = {
    "lru": lambda requests, room: ranked(requests, room, lambda past, came: past[-1]),
    "fifo": lambda requests, room: ranked(requests, room, lambda past, came: came),
    "lfu": lambda requests, room: ranked(requests, room, lambda past, came: (len(past), past[-1])),
    "lru-2": lambda requests, room: ranked(
        requests, room, lambda past, came: (past[-2] if len(past) > 1 else -1, past[-1])),
    "sieve": sieve,
}


def lines():
    requests = trace()
    return ["rule,room,hits"] + [
        f"{rule},{room},{hits(requests, room)}" for rule, hits in RULES.items() for room in ROOMS]


if __name__ == "__main__":
    with open(TABLE, "w") as file:
        file.write("\n".join(lines()) + "\n")
