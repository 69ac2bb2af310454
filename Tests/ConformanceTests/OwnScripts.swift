// SPDX-License-Identifier: GPL-3.0-or-later

/// Scripts that show keys and actions which no shipped one depends on, see `ScriptKeyTests`.
let ownScripts = [
    // 10 MiB compressed to 10 / 2.7 come back beside 20 MiB.
    """
    schema: 1
    name: processes that stand
    device: {memory: {ram: 2 GiB, compressor_ratio: 2.7}, os: ios-18}
    policy: fifo
    processes:
      - {name: new, band: 0, state: suspended, footprint: 30 MiB, compressed: 10 MiB, age: 1 min}
      - {name: old, band: 0, state: suspended, footprint: 30 MiB, compressed: 10 MiB, age: 1 h}
      - {name: idle, kind: daemon, tracked: true, idle_exit: true, band: 0, requested_band: 30, state: running}
    steps:
      - {at: 0 s, expect: {process: old, compressed: 10 MiB, state: suspended}}
      - {at: 1 s, process: idle, do: dirty}
      - {at: 1 s, expect: {process: idle, band: 30}}
      - {at: 2 s, memory: {available: 70 MiB}}
      - at: 2 s
        expect:
          kills: [{process: old, reason: vm-pageshortage, freed: 23.7037 MiB}, {process: new, reason: vm-pageshortage}]
    """,
    """
    schema: 1
    name: a surface turns volatile and back
    device: {memory: {ram: 4 GiB, reserved: 0 MiB}, os: ios-18}
    processes:
      - {name: p, footprint: 10 MiB}
    steps:
      - {at: 0 s, block: s, process: p, do: create, kind: surface, size: 82 MiB}
      - {at: 0 s, block: s, do: map}
      - {at: 0 s, block: s, do: touch 82 MiB}
      - {at: 1 s, block: s, do: volatile}
      - {at: 1 s, expect: {process: p, footprint: 10 MiB, volatile: 82 MiB}}
      - {at: 2 s, block: s, do: non-volatile}
      - {at: 2 s, expect: {process: p, footprint: 92 MiB, volatile: 0 MiB}}
    """,
    """
    schema: 1
    name: half a budget for the freezer
    device: {memory: {ram: 4 GiB}, os: ios-18.4, freezer: {spared: 1000, budget_multiplier: 0.5}}
    processes:
      - {name: p, kind: app, band: 0}
    steps:
      - {at: 0 s, expect: {freezer_budget: 1 GiB}}
      - {at: 1 s, freezer: {budget: 0 MiB}}
      - {at: 1 s, freezer: {expired: 0 h}}
      - {at: 1 s, expect: {freezer_budget: 1 GiB}}
    """,
    """
    schema: 1
    name: the reaper moved
    device: {memory: {ram: 6 GiB}, os: ios-18.4}
    processes:
      - {name: idle, kind: daemon, band: 0, relaunch: low}
    steps:
      - {at: 0 s, memory: {available: 30 %}}
      - {at: 400 s, expect: {kills: []}}
      - {at: 401 s, thresholds: {reaper: 3 GiB}}
      - {at: 402 s, expect: {kills: [{process: idle, reason: long-idle-exit}]}}
    """,
    """
    schema: 1
    name: the pace of a freezer
    device: {memory: {ram: 4 GiB}, os: ios-18.4, freezer: {spared: 0, slots: 3, spacing: 20 s}}
    processes:
      - {name: a, footprint: 40 MiB}
      - {name: b, footprint: 40 MiB}
    steps:
      - {at: 0 s, memory: {available: 18 %}}
      - {at: 0 s, process: a, do: suspend}
      - {at: 0 s, process: b, do: suspend}
      - {at: 19.9 s, expect: {frozen: [a]}}
      - {at: 20 s, expect: {frozen: [a, b]}}
    """,
    """
    schema: 1
    name: who is tracked without idle exit has the limit of the idle while it is clean
    device: {memory: {ram: 4 GiB}, os: ios-18}
    processes:
      - {name: p, kind: app, band: 120, limits: {active: 35 MiB fatal, inactive: 25 MiB fatal}}
    steps:
      - {at: 0 s, process: p, do: assert 130}
      - {at: 0 s, expect: {process: p, band: 130, limit: 35 MiB}}
      - {at: 1 s, process: p, do: track-without-idle-exit}
      - {at: 1 s, expect: {process: p, limit: 25 MiB}}
    """,
    """
    schema: 1
    name: who leaves the dock ages as any app
    device: {memory: {ram: 4 GiB}, os: ios-18}
    processes:
      - {name: p, kind: app, band: 0}
    steps:
      - {at: 0 s, process: p, do: dock}
      - {at: 0 s, process: p, do: suspend}
      - {at: 0 s, expect: {process: p, band: 40}}
      - {at: 1 s, process: p, do: undock}
      - {at: 1 s, expect: {process: p, band: 20}}
    """,
    """
    schema: 1
    name: an importance assertion that is given back holds nobody
    device: {memory: {ram: 4 GiB}, os: ios-18}
    processes:
      - {name: p, kind: app, tracked: true, idle_exit: true, band: 80}
    steps:
      - {at: 0 s, process: p, do: hold-importance}
      - {at: 1 s, process: p, do: drop-importance}
      - {at: 2 s, expect: {process: p, band: 0}}
    """,
    """
    schema: 1
    name: regions that are given back leave the zone map
    device: {memory: {ram: 4 GiB, reserved: 0 MiB}, os: ios-18}
    processes:
      - {name: leak, kind: daemon, band: 100}
    steps:
      - {at: 0 s, zones: {limit: 20 %}}
      - {at: 1 s, process: leak, do: map-regions 1100000}
      - {at: 1 s, process: leak, do: unmap-regions 400000}
      - {at: 2 s, process: leak, do: map-regions 400000}
      - {at: 2 s, expect: {kills: [], zone_map: {at_least: 18 %, at_most: 20 %}}}
    """,
    """
    schema: 1
    name: an app that may be used after all is frozen
    device: {memory: {ram: 4 GiB}, os: ios-18.4, freezer: {spared: 1000}}
    processes:
      - {name: other, band: 0, footprint: 10 MiB, use_probability: 0 %}
      - {name: child, band: 0, footprint: 10 MiB, use_probability: 50 %}
    steps:
      - {at: 0 s, process: other, do: suspend}
      - {at: 0 s, process: child, do: suspend}
      - {at: 1 s, process: other, do: use-probability 40 %}
      - {at: 4 s, freezer: {run: true}}
      - {at: 4 s, expect: {frozen: [other]}}
    """,
    """
    schema: 1
    name: an app whose task has ended is suspended
    device: {memory: {ram: 4 GiB}, os: ios-18}
    processes:
      - {name: app, windows: 1, footprint: 60 MiB}
    steps:
      - {at: 0 s, process: app, do: open}
      - {at: 1 s, process: app, do: begin-task}
      - {at: 10 s, process: app, do: background}
      - {at: 19 s, expect: {process: app, state: background}}
      - {at: 20 s, process: app, do: end-task}
      - {at: 20 s, expect: {process: app, state: suspended}}
    """,
    """
    schema: 1
    name: a task that reports failure has failed
    device: {memory: {ram: 4 GiB}, os: ios-18}
    processes:
      - {name: app, windows: 1, footprint: 60 MiB}
    steps:
      - {at: 0 s, process: app, do: open}
      - {at: 1 s, process: app, do: submit refresh, earliest_begin: 10 min}
      - {at: 2 s, process: app, do: background}
      - {at: 605 s, process: app, do: fail refresh}
      - {at: 605 s, expect: {process: app, state: suspended, refresh: {ended: failed}}}
    """,
]
