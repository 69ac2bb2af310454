// SPDX-License-Identifier: GPL-3.0-or-later
// RandomStreams owns chance: one independent stream of random numbers per (seed, replication, entity, purpose).
// In: a `StreamKey`. Out: a `RandomStream`, a 32-byte value one can store anywhere, and draws from it.
// Adding an app, a policy, a sweep point or a draw elsewhere changes no other stream, because a stream is a function of
// its key alone: the entity enters by name, never by index, and neither policy nor sweep point enters at all.
// Read first: `StreamKey.swift`, then `RandomStream.swift`; `Ziggurat.swift` holds the fast samplers.
