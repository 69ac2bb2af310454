// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
public import Numerics

/// One horizontal layer of a ziggurat: 16 bytes, so that a draw touches one cache line.
@usableFromInline @frozen
struct ZigguratLayer: BitwiseCopyable, Sendable {
    /// Width of the layer times 2^-53.
    @usableFromInline let width: Double
    /// A 53-bit position below this value is under the density at every height in the layer.
    @usableFromInline let inside: Int64

    init(width: Double, insideFraction: Double) {
        self.width = width * 0x1p-53
        inside = Int64(insideFraction * 0x1p53)
    }
}

/// Marsaglia and Tsang's ziggurat method with 256 layers and one 64-bit word per draw.
///
/// Bits 0-7 choose the layer, bit 8 is the sign of a normal variable, and bits 11-63 are the position. No bit is
/// used twice. The original method used the same bits for layer and position, which correlates the two.
///
/// Source: G. Marsaglia and W. W. Tsang, The ziggurat method for generating random variables, Journal of Statistical
/// Software 5 (2000), doi:10.18637/jss.v005.i08; independent bits after J. Doornik, An improved ziggurat method (2005).
@frozen
public enum Ziggurat {
    static let layerCount = 256
    /// Start of the exponential's tail, and area of each layer; with these values, 256 layers end exactly at the top.
    static let exponentialTail = 7.697117470131049714
    static let exponentialArea = 0.003949659822581557220
    /// Start of the tail and area of each layer for the right half of the normal density exp(-x²/2), not normalised.
    static let normalTail = 3.654152885361008772
    static let normalArea = 0.004928673233974655347

    /// Gives a magnitude the sign that is in bit 8 of a word.
    @inlinable @inline(__always)
    static func signed(_ magnitude: Double, by bits: UInt64) -> Double {
        Double(bitPattern: magnitude.bitPattern | ((bits & 256) &<< 55))
    }

    /// The rare part of an exponential draw (about 1 in 90): a layer's edge or the tail.
    @usableFromInline @inline(never)
    static func exponentialEdge(_ word: UInt64, _ generator: inout Xoshiro256PlusPlus) -> Double {
        var bits = word
        var beyond = 0.0
        while true {
            let index = Int(bits & 255)
            let layer = exponentialLayers[index]
            let position = Int64(bits >> 11)
            let x = Double(position) * layer.width
            if position < layer.inside { return beyond + x }
            if index == 0 {
                // The exponential has no memory: beyond the start of the tail, the same distribution begins again.
                beyond += exponentialTail
            } else {
                let height = exponentialHeights[index]
                let y = height + generator.uniform() * (exponentialHeights[index - 1] - height)
                if y < exp(-x) { return beyond + x }
            }
            bits = generator.next()
        }
    }

    /// The rare part of a normal draw (about 1 in 100): a layer's edge or the tail.
    @usableFromInline @inline(never)
    static func normalEdge(_ word: UInt64, _ generator: inout Xoshiro256PlusPlus) -> Double {
        var bits = word
        while true {
            let index = Int(bits & 255)
            let layer = normalLayers[index]
            let position = Int64(bits >> 11)
            let x = Double(position) * layer.width
            if position < layer.inside { return signed(x, by: bits) }
            if index == 0 { return signed(normalTailDraw(&generator), by: bits) }
            let height = normalHeights[index]
            let y = height + generator.uniform() * (normalHeights[index - 1] - height)
            if y < exp(-0.5 * x * x) { return signed(x, by: bits) }
            bits = generator.next()
        }
    }

    /// A normal variable beyond the start of the tail, by Marsaglia's rejection from an exponential.
    private static func normalTailDraw(_ generator: inout Xoshiro256PlusPlus) -> Double {
        while true {
            let x = -log(1 - generator.uniform()) / normalTail
            let y = -log(1 - generator.uniform())
            if 2 * y > x * x { return normalTail + x }
        }
    }

    /// The outer edges of the layers, from 0 at the top (index 0) to the start of the tail (last index).
    static func edges(
        tail: Double, area: Double, density: (Double) -> Double, inverse: (Double) -> Double
    ) -> [Double] {
        var edges = [Double](repeating: 0, count: layerCount)
        edges[layerCount - 1] = tail
        for index in stride(from: layerCount - 2, through: 1, by: -1) {
            edges[index] = inverse(density(edges[index + 1]) + area / edges[index + 1])
        }
        return edges
    }

    /// The layers; index 0 is the base strip including the tail, as wide as its area requires.
    static func layers(edges: [Double], area: Double, density: (Double) -> Double) -> UnsafePointer<ZigguratLayer> {
        let tail = edges[layerCount - 1]
        let base = area / density(tail)
        let table = UnsafeMutablePointer<ZigguratLayer>.allocate(capacity: layerCount)
        table.initialize(to: ZigguratLayer(width: base, insideFraction: tail / base))
        for index in 1..<layerCount {
            (table + index).initialize(
                to: ZigguratLayer(width: edges[index], insideFraction: edges[index - 1] / edges[index]))
        }
        return UnsafePointer(table)
    }

    static func normalDensity(_ x: Double) -> Double { exp(-0.5 * x * x) }
    static let exponentialEdges = edges(
        tail: exponentialTail, area: exponentialArea, density: { exp(-$0) }, inverse: { -log($0) })
    static let normalEdges = edges(
        tail: normalTail, area: normalArea, density: normalDensity, inverse: { (-2 * log($0)).squareRoot() })
}

// The tables are created once, at first use, and exist as long as the process; nothing writes to them afterwards.

@usableFromInline nonisolated(unsafe) let exponentialLayers = Ziggurat.layers(
    edges: Ziggurat.exponentialEdges, area: Ziggurat.exponentialArea, density: { exp(-$0) })

@usableFromInline nonisolated(unsafe) let normalLayers = Ziggurat.layers(
    edges: Ziggurat.normalEdges, area: Ziggurat.normalArea, density: Ziggurat.normalDensity)

private let exponentialHeights = Ziggurat.exponentialEdges.map { exp(-$0) }
private let normalHeights = Ziggurat.normalEdges.map(Ziggurat.normalDensity)
