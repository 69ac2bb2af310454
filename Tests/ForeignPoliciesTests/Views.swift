// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Views with values of their own in every field.
let candidate = EvictionCandidate(
    app: AppID(7), band: 40, state: .suspended, footprint: .mebibytes(120), resident: .mebibytes(90),
    bandSet: .seconds(50), launched: .seconds(10), lastForeground: .seconds(45), opens: 3,
    relaunchTime: .milliseconds(900), relaunchEnergy: .joules(2.5), nextOpen: .seconds(4000))

let memory = MemoryView(
    total: .gibibytes(4), free: .mebibytes(300), fileBacked: .mebibytes(200), compressed: .mebibytes(100),
    compressorLimit: .gibibytes(1), refaulted: .mebibytes(5))

let request = RequestView(
    app: AppID(9), kind: .refresh, submitted: .seconds(100), earliestBegin: .seconds(200), deadline: .seconds(9000),
    requiresPower: false, requiresNetwork: true, lastOpened: .seconds(30), lastRun: .seconds(60), openLikelihood: 0.25,
    expectedBytes: ByteCount(5000), expectedDuration: .seconds(8))
