// SPDX-License-Identifier: GPL-3.0-or-later
// Draws one day of a phone into an element: lanes over time, one policy above the other, with what `flotsam why` says
// of whatever is chosen. `day` is one of `days` in `flotsam report --json`; times are seconds since midnight.
function drawDay(root, day) {
  const SHORTEST = 60, WAITING = "waiting";
  const NO_ROOM = "The page has no room for the reasons of so busy a day; the command says them.";
  const RADIO = ["", "tail", "loud"];
  const PARTS = ["wired", "system", "on screen", "background", "suspended", "compressor", "cached"];
  const view = { from: 0, to: day.length_s };
  const filter = { who: "all", differing: false };
  let chosen = null, drag = null;

  const make = (name, attributes, ...children) => {
    const svg = ["svg", "g", "rect", "path", "line", "text", "title"].includes(name);
    const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const two = number => String(number).padStart(2, "0");
  const clock = (time, withSeconds) => {
    const second = Math.round(time);
    return `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}` +
      (withSeconds ? `:${two(second % 60)}` : "");
  };
  const nameOf = app => day.apps[app] ?? "system";

  // What can be chosen: opens, kills and runs, by side and in the order of time.
  const marks = day.sides.map((side, index) => [
    ...side.opens.map(open => ({ ...open, kind: "open", title: `opened: ${open.what}` })),
    ...side.kills.map(kill => ({ ...kill, kind: "kill", title: `killed: ${kill.what}` })),
    ...side.work.filter(work => work.at !== null && work.at < day.length_s && work.to >= 0)
      .map(work => ({ ...work, kind: "run", title: work.what })),
  ].map(mark => ({ ...mark, side: index })).sort((one, other) => one.at - other.at));
  const kinds = [...new Set(day.sides.flatMap(side => side.work.map(work => work.what)))].sort();
  const people = [...new Set(marks.flat().map(mark => mark.app))].sort((one, other) => one - other);

  const isShown = mark => (!filter.differing || mark.differs) && (filter.who === "all" ||
    (filter.who === "apps" ? mark.app < day.counted : filter.who === "system" ? mark.app >= day.counted
      : mark.app === Number(filter.who)));

  // MARK: controls
  const button = (text, label, action) => {
    const made = make("button", { type: "button", "aria-label": label, title: label }, text);
    made.addEventListener("click", action);
    return made;
  };
  const who = make("select", { "aria-label": "whose decisions are shown" },
    ...[["all", "everybody"], ["apps", "apps"], ["system", "daemons and extensions"],
      ...people.map(app => [String(app), nameOf(app)])].map(([value, text]) => make("option", { value }, text)));
  who.addEventListener("change", () => { filter.who = who.value; draw(); });
  const differing = make("input", { type: "checkbox" });
  differing.addEventListener("change", () => { filter.differing = differing.checked; draw(); });
  const span = make("span", { class: "span" });
  const bar = make("div", { class: "bar", role: "toolbar", "aria-label": "the picture of the day" },
    button("−", "longer span", () => zoom(2)), button("+", "shorter span", () => zoom(0.5)),
    button("◀", "earlier", () => pan(-0.5)), button("▶", "later", () => pan(0.5)),
    button("day", "the whole day", () => show(0, day.length_s)),
    button("previous", "previous decision", () => step(-1)), button("next", "next decision", () => step(1)), who);
  if (day.sides.length > 1) bar.append(make("label", {}, differing, " only what differs"));
  bar.append(span);
  const picture = make("div", { class: "lanes", tabindex: 0, role: "group",
    "aria-label": "A day of the phone. Arrows move, plus and minus zoom, 0 shows the day, brackets step." });
  const story = make("div", { class: "story", "aria-live": "polite" },
    "Choose a mark: a triangle is a kill, a bar a visit or a run. Orange: not so under the other policy. " +
    "A drag zooms; so do + and −.");
  const swatch = (style, text) => make("span", { class: "swatch" },
    make("svg", { width: 12, height: 10 }, make("rect", { width: 12, height: 10, class: style })), ` ${text}`);
  const legend = make("div", { class: "legend" },
    ...PARTS.slice(0, -1).map((part, number) => swatch(`part part${number}`, part)),
    make("span", { class: "swatch" }, "line: available memory"), swatch("loud", "radio sends or receives"),
    swatch("tail", "radio tail"), swatch("charging", "on a charger"),
    ...(day.sides.length > 1 ? [swatch("mark differs", "not so under the other policy")] : []));
  root.replaceChildren(bar, picture, legend, story);

  // MARK: the span that is seen
  function show(from, to) {
    const length = Math.min(Math.max(to - from, SHORTEST), day.length_s);
    view.from = Math.min(Math.max(from, 0), day.length_s - length);
    view.to = view.from + length;
    draw();
  }
  function zoom(factor, middle = chosen?.at ?? (view.from + view.to) / 2) {
    const share = Math.min(Math.max((middle - view.from) / (view.to - view.from), 0), 1);
    const length = Math.min(Math.max((view.to - view.from) * factor, SHORTEST), day.length_s);
    show(middle - share * length, middle + (1 - share) * length);
  }
  function pan(share) {
    const by = share * (view.to - view.from);
    show(view.from + by, view.to + by);
  }
  function step(by) {
    const all = marks.flat().filter(isShown).sort((one, other) => one.at - other.at || one.side - other.side);
    if (!all.length) return;
    const now = all.indexOf(chosen);
    const after = all.findIndex(mark => mark.at >= view.from);
    const next = now >= 0 ? now + by : by > 0 ? after : all.findLastIndex(mark => mark.at <= view.to);
    choose(all[Math.min(Math.max(next, 0), all.length - 1)]);
  }

  // MARK: what is chosen
  function choose(mark) {
    chosen = mark;
    const length = view.to - view.from;
    if (mark.at < view.from || mark.at > view.to) show(mark.at - length / 2, mark.at + length / 2); else draw();
    const side = day.sides[mark.side];
    const command = `flotsam why '${side.run}' --app ${nameOf(mark.app)} --at ${day.day}d${clock(mark.at, true)}`;
    story.replaceChildren(
      make("h3", {}, `${clock(mark.at, true)} ${nameOf(mark.app)}, ${mark.title}`),
      make("p", { class: "quiet" }, side.policy + (day.sides.length < 2 ? "" : mark.differs
        ? ": not so under the other policy within a minute" : ": the same under the other policy")),
      make("pre", {}, mark.why.trimEnd() || NO_ROOM), make("p", { class: "quiet" }, make("code", {}, command)));
  }
  const waitsAt = (side, time) => side.work.filter(work =>
    isShown({ ...work, differs: true }) && work.due <= time && (work.at ?? work.to) > time);
  function chooseWaiting(index, time) {
    const side = day.sides[index], groups = new Map();
    for (const work of waitsAt(side, time)) {
      const rule = work.held.findLast(held => held[0] <= time)?.[1] ?? "";
      groups.set(rule, [...(groups.get(rule) ?? []), `${nameOf(work.app)} (${work.what})`]);
    }
    const lines = [...groups].sort((one, other) => other[1].length - one[1].length).map(([rule, apps]) =>
      `${apps.length}: ${rule ? `${side.reasons[rule] ?? rule} (${rule})` : "not looked at yet"}\n   ` +
      apps.slice(0, 12).join(", ") + (apps.length > 12 ? ` and ${apps.length - 12} more` : ""));
    story.replaceChildren(make("h3", {}, `${clock(time, true)} who waits, and for what`),
      make("p", { class: "quiet" }, side.policy), make("pre", {}, lines.join("\n") || "nothing waits"));
  }

  // MARK: lanes
  let x = time => time, edge = { left: 0, right: 0 };
  const inView = (from, to) => to >= view.from && from <= view.to;
  const clip = position => Math.min(Math.max(position, edge.left), edge.right);
  const bars = (group, spans, top, height) => {
    // What lies on one pixel is drawn once.
    let last = -1;
    for (const [from, to, style, title] of spans) {
      if (!inView(from, to)) continue;
      const left = clip(x(from)), right = Math.max(clip(x(to)), left + 0.7);
      if (right <= last) continue;
      last = right;
      const width = (right - left).toFixed(1);
      const rect = make("rect", { x: left.toFixed(1), y: top, width, height, class: style });
      if (title) rect.append(make("title", {}, title));
      group.append(rect);
    }
  };
  const line = (group, points, top, height, low, high, style) => {
    const y = value => top + height - (value - low) / ((high - low) || 1) * height;
    let path = "", before = null, pixel = -1;
    for (const [time, value] of points) {
      if (time > view.to) break;
      if (time >= view.from) {
        if (!path) path = `M${edge.left},${y(before ?? value).toFixed(1)}`;
        const at = x(time);
        if (at - pixel > 0.3) { path += `H${at.toFixed(1)}V${y(value).toFixed(1)}`; pixel = at; }
      }
      before = value;
    }
    if (!path && before !== null) path = `M${edge.left},${y(before).toFixed(1)}`;
    if (path) group.append(make("path", { d: `${path}H${edge.right}`, class: style }));
  };
  const steps = (points, last) => points.map(([from, value], index) => [from, points[index + 1]?.[0] ?? last, value]);
  const place = (group, mark, shape) => {
    const words = ["mark", mark.kind, mark.differs && "differs", mark === chosen && "chosen"];
    if (mark.kind === "open") words.push(mark.what);
    shape.setAttribute("class", words.filter(Boolean).join(" "));
    shape.append(make("title", {}, `${clock(mark.at, true)} ${nameOf(mark.app)}, ${mark.title}`));
    shape.addEventListener("click", event => { event.stopPropagation(); choose(mark); });
    group.append(shape);
  };

  // How many requests wait, whenever that changes.
  function waiting(side, holds) {
    let count = 0;
    return side.work.filter(work => holds(work) && (work.at ?? work.to) > work.due)
      .flatMap(work => [[work.due, 1], [work.at ?? work.to, -1]])
      .sort((one, other) => one[0] - other[0] || one[1] - other[1]).map(([time, by]) => [time, count += by]);
  }
  const mostWaiting = Math.max(1, ...day.sides.flatMap(side => waiting(side, () => true).map(point => point[1])));

  // Each lane draws itself at a height; the scale of a number is the same for all policies.
  const highest = pick => Math.max(1e-9, ...day.sides.flatMap(side => side.battery.map(pick)));
  const heats = day.sides.flatMap(side => side.battery.map(row => row[3]));
  const sum = parts => parts.reduce((all, part) => all + part);
  const ram = Math.max(1, ...day.sides.flatMap(side => side.hours.map(sum)));
  const radios = [...new Set(day.sides.flatMap(side => Object.keys(side.radios)))].sort();
  const lanes = [
    ["screen", 7, (group, side, index, top, height) => bars(group, steps(side.battery.map(row => [row[0], row[5]]),
      day.length_s).filter(span => span[2]).map(([from, to]) => [from, to, "screen"]), top, height)],
    ["in front", 16, (group, side, index, top, height) => {
      bars(group, side.visits.map(([from, to, app]) => [from, to, "visit", nameOf(app)]), top, height);
      for (const mark of marks[index]) {
        if (mark.kind !== "open" || !isShown(mark) || !inView(mark.at, mark.at)) continue;
        place(group, mark, make("rect", { x: (x(mark.at) - 1.5).toFixed(1), y: top, width: 3, height }));
      }
    }],
    ["memory", 62, (group, side, index, top, height) => {
      side.hours.forEach((parts, hour) => {
        let bottom = top + height;
        parts.forEach((part, number) => {
          const tall = part / ram * height, from = hour * 3600, to = Math.min(from + 3600, day.length_s);
          bottom -= tall;
          const title = `${PARTS[number]}: ${part} MiB at ${clock(to)}`;
          bars(group, [[from, to, `part part${number}`, title]], bottom.toFixed(1), tall.toFixed(1));
        });
      });
      line(group, side.memory, top, height, 0, ram, "available");
    }],
    ["kills", 12, (group, side, index, top, height) => {
      for (const mark of marks[index]) {
        if (mark.kind !== "kill" || !isShown(mark) || !inView(mark.at, mark.at)) continue;
        const at = x(mark.at);
        place(group, mark, make("path", { d: `M${(at - 4.5).toFixed(1)},${top}h9l-4.5,${height}z` }));
      }
    }],
    [WAITING, 26, (group, side, index, top, height) => {
      const points = waiting(side, work => isShown({ ...work, differs: true }));
      line(group, points, top, height, 0, mostWaiting, "count");
      const hit = make("rect", { x: edge.left, y: top, width: edge.right - edge.left, height, class: "hit" });
      hit.addEventListener("click", event => chooseWaiting(index, timeOf(event)));
      group.append(hit);
    }],
    ...kinds.map(kind => [kind, 11, (group, side, index, top, height) => {
      for (const mark of marks[index]) {
        if (mark.kind !== "run" || mark.what !== kind || !isShown(mark) || !inView(mark.at, mark.to)) continue;
        const left = clip(x(mark.at)), width = Math.max(clip(x(mark.to)) - left, 2.5);
        const box = { x: left.toFixed(1), y: top + 1, width: width.toFixed(1), height: height - 2 };
        place(group, mark, make("rect", box));
      }
    }]),
    ...radios.map(radio => [radio, 9, (group, side, index, top, height) => {
      const spans = steps(side.radios[radio] ?? [], day.length_s).filter(span => span[2]);
      bars(group, spans.map(([from, to, work]) => [from, to, RADIO[work]]), top, height);
    }]),
    ["power", 34, (group, side, index, top, height) =>
      line(group, side.battery.map(row => [row[0], row[2]]), top, height, 0, highest(row => row[2]), "power")],
    ["battery", 34, (group, side, index, top, height) => {
      bars(group, steps(side.battery.map(row => [row[0], row[4]]), day.length_s).filter(span => span[2])
        .map(([from, to]) => [from, to, "charging", "on a charger"]), top, height);
      line(group, side.battery.map(row => [row[0], row[1]]), top, height, 0, 100, "level");
    }],
    ["heat", 24, (group, side, index, top, height) => line(
      group, side.battery.map(row => [row[0], row[3]]), top, height, Math.min(...heats), Math.max(...heats), "heat")],
  ];
  const ends = { memory: `${Math.round(ram)} MiB`, power: `${highest(row => row[2]).toPrecision(2)} W`,
    battery: "100 %", heat: `${Math.max(...heats)} °C` };
  const timeOf = event => {
    const box = picture.querySelector("svg").getBoundingClientRect();
    return view.from + (event.clientX - box.left - edge.left) / (edge.right - edge.left) * (view.to - view.from);
  };

  function draw() {
    const width = Math.max(picture.clientWidth, 240), narrow = width < 560;
    edge = { left: narrow ? 62 : 104, right: width - 4 };
    x = time => edge.left + (time - view.from) / (view.to - view.from) * (edge.right - edge.left);
    const svg = make("svg", { width, class: narrow ? "narrow" : "" });
    const length = view.to - view.from;
    const gaps = [10, 60, 300, 900, 1800, 3600, 7200, 10800, 21600];
    const gap = gaps.find(one => length / one <= (narrow ? 4 : 9)) ?? gaps.at(-1);
    let top = 16;
    day.sides.forEach((side, index) => {
      const group = make("g", { class: "side", "data-policy": side.policy });
      group.append(make("text", { x: 0, y: top, class: "policy" }, side.policy));
      top += 8;
      const begin = top;
      for (const [name, height, drawLane] of lanes) {
        group.append(make("text", { x: 0, y: top + Math.min(height, 14) / 2 + 5, class: "lane" }, name));
        if (ends[name]) group.append(make("text", { x: 0, y: top + 25, class: "end" }, ends[name]));
        if (name === WAITING) group.append(make("text", { x: 0, y: top + 25, class: "end" }, `${mostWaiting} at most`));
        drawLane(group, side, index, top, height);
        const under = top + height + 1.5;
        group.append(make("line", { x1: edge.left, x2: edge.right, y1: under, y2: under, class: "rule" }));
        top += height + 6;
      }
      for (let time = Math.ceil(view.from / gap) * gap; time <= view.to; time += gap) {
        const at = x(time).toFixed(1);
        group.prepend(make("line", { x1: at, x2: at, y1: begin, y2: top, class: "rule" }));
        const anchor = time - view.from < length / 30 ? "start" : view.to - time < length / 30 ? "end" : "middle";
        group.append(make("text", { x: at, y: top + 9, class: "tick", "text-anchor": anchor }, clock(time, gap < 60)));
      }
      svg.append(group);
      top += 38;
    });
    svg.setAttribute("height", top - 20);
    svg.setAttribute("viewBox", `0 0 ${width} ${top - 20}`);
    picture.replaceChildren(svg);
    span.textContent = `${clock(view.from, length < 3600)} to ${clock(view.to, length < 3600)}`;
    Object.assign(root.dataset, { from: view.from, to: view.to });
  }

  // MARK: hands
  picture.addEventListener("keydown", event => {
    const act = { ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25), "+": () => zoom(0.5), "=": () => zoom(0.5),
      "-": () => zoom(2), 0: () => show(0, day.length_s), "[": () => step(-1), "]": () => step(1) }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  picture.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, timeOf(event));
  }, { passive: false });
  picture.addEventListener("pointerdown", event => {
    drag = event.button === 0 ? { x: event.clientX, time: timeOf(event) } : null;
  });
  picture.addEventListener("pointerup", event => {
    if (drag && Math.abs(event.clientX - drag.x) > 8) {
      const ends = [drag.time, timeOf(event)].sort((one, other) => one - other);
      show(...ends);
    }
    drag = null;
  });
  let width = 0;
  new ResizeObserver(() => {
    if (picture.clientWidth !== width) { width = picture.clientWidth; draw(); }
  }).observe(picture);
  draw();
}

// Draws the day of the first point, and that of another when it is picked.
function drawDays(days) {
  const roots = [...document.querySelectorAll(".day")], points = document.querySelectorAll(".point");
  const drawn = new Set();
  const pick = chosen => {
    points.forEach((point, number) => { point.hidden = number !== chosen; });
    if (!drawn.has(chosen)) drawDay(roots[chosen], days[chosen]);
    drawn.add(chosen);
    // The window may have got another width while it was hidden.
    dispatchEvent(new Event("resize"));
  };
  document.getElementById("point")?.addEventListener("change", event => pick(Number(event.target.value)));
  pick(0);
}
