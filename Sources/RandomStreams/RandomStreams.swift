// SPDX-License-Identifier: GPL-3.0-or-later
// RandomStreams owns randomness: one independent stream of random numbers per (seed, replication, entity, purpose).
// In: a `StreamKey`. Out: a `RandomStream`, which is a 32-byte value that can be stored anywhere, and draws from it.
// An added app, policy, sweep point or draw changes no other stream, because a stream depends only on its key. The key
// contains the entity's name, never an index, and neither policy nor sweep point.
// Read first: `StreamKey.swift`, then `RandomStream.swift`; `Ziggurat.swift` contains the fast samplers.
