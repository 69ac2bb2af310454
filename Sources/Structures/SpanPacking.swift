// SPDX-License-Identifier: GPL-3.0-or-later

/// The largest total value of items that fit under a capacity that varies from step to step.
///
/// Each item needs capacity equal to its size during a span of steps. A part of an item may be kept.
///
/// This is the linear relaxation of caching with sizes, solved as a flow of least cost. Source: Berger, Beckmann and
/// Harchol-Balter, "Practical Bounds on Optimal Caching with Variable Object Sizes", SIGMETRICS 2018, arXiv:1711.03709,
/// section 3. The value is that of a dual solution. It is therefore an upper bound even if rounding or the limit of
/// pivots stopped the flow before its optimum. If all items have the same size and all capacities are multiples of it,
/// the optimum is as large as with whole items.
///
/// ```swift
/// var packing = SpanPacking(capacities: [10, 10])
/// packing.add(0..<2, size: 6, value: 1)
/// packing.add(0..<1, size: 6, value: 1)
/// packing.mostValue  // 1.67: the first item as a whole, two thirds of the second
/// ```
public struct SpanPacking: Sendable {
    private struct Item {
        var steps: Range<Int>
        var size: Int64
        var value: Double
    }

    /// Largest number of steps of one flow.
    ///
    /// Longer flows are cut, and an item's value is divided among the parts.
    private static let mostSteps = 1500

    private let capacities: [Int64]
    private var items: [Item] = []

    /// Creates a packing without items; a capacity below zero counts as zero.
    public init(capacities: [Int64]) { self.capacities = capacities.map { max(0, $0) } }

    /// Adds an item; an item without steps or with size zero is always kept.
    public mutating func add(_ steps: Range<Int>, size: Int64, value: Double) {
        items.append(Item(steps: steps.clamped(to: 0..<capacities.count), size: max(0, size), value: max(0, value)))
    }

    /// Upper bound on the total value of any choice of items that fit.
    public var mostValue: Double {
        let (position, tight) = tightSteps()
        if tight.isEmpty { return items.reduce(0) { $0 + $1.value } }
        var (kept, left) = (0.0, [Item]())
        for item in items {
            // A step at which all items fit is no constraint.
            let steps = position[item.steps.lowerBound]..<position[item.steps.upperBound]
            if steps.isEmpty || item.size == 0 {
                kept += item.value
            } else {
                left.append(Item(steps: steps, size: item.size, value: item.value))
            }
        }
        var start = 0
        while start < tight.count {
            let window = start..<min(start + Self.mostSteps, tight.count)
            var flow = SpanFlow(capacities: tight[window].map { capacities[$0] })
            for item in left where item.steps.overlaps(window) {
                let part = item.steps.clamped(to: window)
                let value = item.value * (Double(part.count) / Double(item.steps.count))
                flow.add(part.lowerBound - start..<part.upperBound - start, size: item.size, value: value)
            }
            kept += flow.solve()
            start = window.upperBound
        }
        return kept
    }

    /// The steps at which not all items fit, and for each step the number of them before it.
    private func tightSteps() -> (position: [Int], tight: [Int]) {
        var change = [Int64](repeating: 0, count: capacities.count + 1)
        for item in items {
            change[item.steps.lowerBound] += item.size
            change[item.steps.upperBound] -= item.size
        }
        var (load, position, tight) = (Int64(0), [Int](), [Int]())
        for step in capacities.indices {
            load += change[step]
            position.append(tight.count)
            if load > capacities[step] { tight.append(step) }
        }
        return (position + [tight.count], tight)
    }
}

/// A flow of least cost along a line, solved by the network simplex method.
///
/// The unused capacity of a step flows along the step's own arc.
///
/// The method starts from the tree of the steps' own arcs. The rule for ties keeps a tree in which every node can send
/// flow to the root, which prevents cycling (Cunningham 1976).
private struct SpanFlow {
    private struct Arc {
        var tail: Int
        var head: Int
        var most: Int64
        var cost: Double
        var flow: Int64
        var isInTree: Bool
    }

    private static let least = 1e-12

    private var arcs: [Arc] = []
    private let capacities: [Int64]
    private var parent: [Int]
    private var parentArc: [Int]
    private var depth: [Int]
    private var potential: [Double]
    private var firstChild: [Int]
    private var next: [Int]
    private var previous: [Int]

    init(capacities: [Int64]) {
        let count = capacities.count
        self.capacities = capacities
        arcs = capacities.enumerated().map {
            Arc(tail: $0.offset, head: $0.offset + 1, most: .max, cost: 0, flow: $0.element, isInTree: true)
        }
        parent = Array(1...count) + [-1]
        parentArc = Array(0..<count) + [-1]
        depth = (0...count).reversed()
        potential = [Double](repeating: 0, count: count + 1)
        firstChild = [-1] + Array(0..<count)
        next = [Int](repeating: -1, count: count + 1)
        previous = next
    }

    mutating func add(_ steps: Range<Int>, size: Int64, value: Double) {
        arcs.append(
            Arc(
                tail: steps.lowerBound, head: steps.upperBound, most: size, cost: -value / Double(size), flow: 0,
                isInTree: false))
    }

    /// Upper bound on the value of the best flow.
    mutating func solve() -> Double {
        var (arc, idle, pivots) = (0, 0, 0)
        while idle < arcs.count, pivots < 40 * arcs.count {
            if let sign = direction(arc) {
                pivot(arc, sign)
                (idle, pivots) = (0, pivots + 1)
            } else {
                idle += 1
            }
            arc = arc + 1 == arcs.count ? 0 : arc + 1
        }
        return dual
    }

    /// Direction in which a change of an arc's flow lowers the cost: 1 for more flow, -1 for less flow, nil if no
    /// change lowers it.
    private func direction(_ index: Int) -> Int64? {
        let arc = arcs[index]
        guard !arc.isInTree else { return nil }
        let price = arc.cost + potential[arc.tail] - potential[arc.head]
        if price < -Self.least, arc.flow < arc.most { return 1 }
        return price > Self.least && arc.flow > 0 ? -1 : nil
    }

    private mutating func pivot(_ entering: Int, _ sign: Int64) {
        let arc = arcs[entering]
        let (from, to) = sign > 0 ? (arc.tail, arc.head) : (arc.head, arc.tail)
        var (amount, leaving, isOnFromSide) = (sign > 0 ? arc.most - arc.flow : arc.flow, -1, false)
        let top = meeting(from, to)
        // The cycle goes from the top down to `from`, over the entering arc to `to`, and back up to the top.
        var node = from
        while node != top {
            let left = room(of: parentArc[node], isForward: arcs[parentArc[node]].head == node)
            if left < amount { (amount, leaving, isOnFromSide) = (left, node, true) }
            node = parent[node]
        }
        node = to
        while node != top {
            let left = room(of: parentArc[node], isForward: arcs[parentArc[node]].tail == node)
            if left <= amount { (amount, leaving, isOnFromSide) = (left, node, false) }
            node = parent[node]
        }
        if amount > 0 { send(amount, from, to, top, over: entering, sign) }
        guard leaving >= 0 else { return }
        arcs[parentArc[leaving]].isInTree = false
        arcs[entering].isInTree = true
        hang(isOnFromSide ? from : to, cutAt: leaving, under: isOnFromSide ? to : from, by: entering)
    }

    private func room(of arc: Int, isForward: Bool) -> Int64 {
        isForward ? (arcs[arc].most == .max ? .max : arcs[arc].most - arcs[arc].flow) : arcs[arc].flow
    }

    private mutating func send(_ amount: Int64, _ from: Int, _ to: Int, _ top: Int, over arc: Int, _ sign: Int64) {
        arcs[arc].flow += sign * amount
        var node = from
        while node != top {
            arcs[parentArc[node]].flow += arcs[parentArc[node]].head == node ? amount : -amount
            node = parent[node]
        }
        node = to
        while node != top {
            arcs[parentArc[node]].flow += arcs[parentArc[node]].tail == node ? amount : -amount
            node = parent[node]
        }
    }

    private func meeting(_ left: Int, _ right: Int) -> Int {
        var (a, b) = (left, right)
        while a != b { if depth[a] >= depth[b] { a = parent[a] } else { b = parent[b] } }
        return a
    }

    /// Moves the subtree below a cut under another node; an arc connects the subtree's new top to that node.
    private mutating func hang(_ newTop: Int, cutAt cut: Int, under other: Int, by arc: Int) {
        var (node, above, by) = (newTop, other, arc)
        while true {
            let (oldParent, oldArc) = (parent[node], parentArc[node])
            detach(node)
            attach(node, under: above, by: by)
            if node == cut { break }
            (above, by, node) = (node, oldArc, oldParent)
        }
        var stack = [newTop]
        while let node = stack.popLast() {
            let arc = arcs[parentArc[node]]
            let above = parent[node]
            depth[node] = depth[above] + 1
            potential[node] = arc.head == node ? potential[above] + arc.cost : potential[above] - arc.cost
            var child = firstChild[node]
            while child >= 0 {
                stack.append(child)
                child = next[child]
            }
        }
    }

    private mutating func detach(_ node: Int) {
        if previous[node] >= 0 { next[previous[node]] = next[node] } else { firstChild[parent[node]] = next[node] }
        if next[node] >= 0 { previous[next[node]] = previous[node] }
    }

    private mutating func attach(_ node: Int, under above: Int, by arc: Int) {
        (parent[node], parentArc[node]) = (above, arc)
        (previous[node], next[node]) = (-1, firstChild[above])
        if next[node] >= 0 { previous[next[node]] = node }
        firstChild[above] = node
    }

    /// Value of the dual solution that the potentials give: the prices of the steps' capacities, plus each item's gain
    /// above the prices.
    private var dual: Double {
        var (sum, value) = ([0.0], 0.0)
        for (step, capacity) in capacities.enumerated() {
            let price = max(0, potential[step] - potential[step + 1])
            sum.append(sum[step] + price)
            value += price * Double(capacity)
        }
        for arc in arcs[capacities.count...] {
            value += Double(arc.most) * max(0, -arc.cost - (sum[arc.head] - sum[arc.tail]))
        }
        return value
    }
}
