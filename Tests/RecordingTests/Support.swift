// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import Recording

func outcome(_ value: Double, fingerprint: UInt64 = 7) -> RunOutcome {
    RunOutcome(
        metrics: MetricCatalog.catalogue.metrics.indices.map { value + Double($0) }, events: 10, userActions: 3,
        fingerprint: fingerprint, workloadFingerprint: 9)
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
