# SPDX-License-Identifier: GPL-3.0-or-later
"""Names beside the points of a plane: none hides a point, a line or another name; far ones get a thin line to their point."""

import math

from .style import GREY, HALO

# In pixels of the screen: points nearer than this share one name; how far a name may lie; room around points and names.
SAME = 4
DISTANCES = (9, 15, 22, 30, 40, 52, 66, 82, 100, 120, 142, 166, 192)
ROOM = 6


def write_names(figure, panel, items, curves=()):
    """Writes the names of (name, (x, y)) pairs; `curves` are lists of points whose lines names should not cover."""
    renderer = figure.canvas.get_renderer()
    groups = together([(name, at, tuple(panel.transData.transform(at))) for name, at in items])
    points = [spot for _, _, spot in groups]
    segments = [
        (tuple(panel.transData.transform(a)), tuple(panel.transData.transform(b)))
        for curve in curves for a, b in zip(curve, curve[1:])
    ]
    taken = []
    crowded = sorted(groups, key=lambda group: (-neighbours(group[2], points), group[2]))
    for name, at, spot in crowded:
        note = panel.annotate(
            name, at, xytext=(0, 0), textcoords="offset points", fontsize=7.5, color="#222222", path_effects=HALO, zorder=4)
        # The layout is final: names must not move the points that they stand beside.
        note.set_in_layout(False)
        size = note.get_window_extent(renderer)
        box, far = best_position(spot, size.width, size.height, points, taken, segments, panel.bbox)
        scale = 72 / figure.dpi
        note.set_position(((box[0] - spot[0]) * scale, (box[1] - spot[1]) * scale))
        end = nearest(spot, box)
        taken.append((box, (spot, end)))
        if far > DISTANCES[1]:
            ends = panel.transData.inverted().transform([spot, end])
            panel.plot(ends[:, 0], ends[:, 1], color=GREY, linewidth=0.6, zorder=3, scalex=False, scaley=False)


def together(items):
    """Items at nearly the same point as one, with their names in a row."""
    groups = []
    for name, at, spot in items:
        for group in groups:
            if math.dist(group[2], spot) <= SAME:
                group[0].append(name)
                break
        else:
            groups.append(([name], at, spot))
    return [(", ".join(names), at, spot) for names, at, spot in groups]


def neighbours(spot, points):
    return sum(1 for other in points if math.dist(spot, other) < 60)


def best_position(spot, width, height, points, taken, segments, frame):
    """The box of a name (left, low, right, high) with the least to say against it, and how far it is."""
    best = None
    for far in DISTANCES:
        for step in range(16):
            # To the right first, then up and down in turn.
            angle = math.pi / 8 * ((step + 1) // 2) * (1 if step % 2 else -1)
            box = box_at(spot, far, angle, width, height)
            cost = far + 2 * abs(angle) + objections(spot, box, points, taken, segments, frame)
            if best is None or cost < best[0]:
                best = (cost, box, far)
        if best[0] <= far + DISTANCES[0]:
            break
    return best[1], best[2]


def box_at(spot, far, angle, width, height):
    x, y = spot[0] + far * math.cos(angle), spot[1] + far * math.sin(angle)
    left = x - width * (1 - math.cos(angle)) / 2
    low = y - height * (1 - math.sin(angle)) / 2
    return left, low, left + width, low + height


def objections(spot, box, points, taken, segments, frame):
    """What speaks against a box, in pixels of distance."""
    left, low, right, high = box
    cost = 0
    if left < frame.x0 + 2 or right > frame.x1 + 4 or low < frame.y0 + 2 or high > frame.y1:
        cost += 1000
    leader = (spot, nearest(spot, box))
    if math.dist(*leader) < ROOM:
        cost += 40
    for other in points:
        if other != spot and left - ROOM < other[0] < right + ROOM and low - ROOM < other[1] < high + ROOM:
            cost += 400
        if other != spot and distance_to_segment(other, leader) < ROOM:
            cost += 60
        # A name nearer to another point would be taken for its name.
        if other != spot and math.dist(other, nearest(other, box)) < math.dist(*leader) + ROOM:
            cost += 30
    for other, line in taken:
        if left - ROOM < other[2] and other[0] - ROOM < right and low - 1 < other[3] and other[1] - 1 < high:
            cost += 400
        if crosses_box(leader, other) or crosses_box(line, box):
            cost += 150
        if crosses(leader, line):
            cost += 60
    return cost + sum(18 for segment in segments if crosses_box(segment, box))


def nearest(spot, box):
    """The point of a box that is nearest to a point."""
    return min(max(spot[0], box[0]), box[2]), min(max(spot[1], box[1]), box[3])


def distance_to_segment(point, segment):
    (ax, ay), (bx, by) = segment
    length = (bx - ax) ** 2 + (by - ay) ** 2
    share = 0 if length == 0 else max(0, min(1, ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / length))
    return math.dist(point, (ax + share * (bx - ax), ay + share * (by - ay)))


def crosses(one, other):
    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = one, other
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def crosses_box(segment, box):
    left, low, right, high = box
    if any(left < x < right and low < y < high for x, y in segment):
        return True
    diagonals = (((left, low), (right, high)), ((left, high), (right, low)))
    return any(crosses(segment, diagonal) for diagonal in diagonals)
