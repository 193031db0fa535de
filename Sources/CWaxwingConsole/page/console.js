// SPDX-License-Identifier: MIT
"use strict";

// Asks the tool for the state of the fleet, again and again, and shows it. Names and reasons come from
// the store, which is not trusted: they are only ever set as text.

const pause = 1500;
const states = {
  harmed: ["!", "harmed"],
  silent: ["?", "silent"],
  waiting: ["…", "not at their goal"],
  treated: ["", "with the rollout's set"],
  baseline: ["", "untreated"],
};
const dark = window.matchMedia("(prefers-color-scheme: dark)");
let fleet = null;
let focused = null;
// Which states are shown; none: all.
const chosen = new Set();
const mostNames = 6;

const at = (id) => document.getElementById(id);

function element(tag, text, name) {
  const made = document.createElement(tag);
  made.textContent = text ?? "";
  if (name) made.className = name;
  return made;
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const short = (id) => id.slice(0, 12);
const dates = new Intl.DateTimeFormat("en-GB", {
  year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
  hourCycle: "h23", timeZoneName: "short",
});

// "2026-03-01 14:05:09 GMT+1", as its parts.
function time(ms) {
  const part = Object.fromEntries(dates.formatToParts(ms).map(({ type, value }) => [type, value]));
  const [day, clock] = [`${part.year}-${part.month}-${part.day}`, `${part.hour}:${part.minute}:${part.second}`];
  return { clock, zone: part.timeZoneName, whole: `${day} ${clock} ${part.timeZoneName}` };
}

function timeElement(ms) {
  const made = element("time", time(ms).whole);
  made.dateTime = new Date(ms).toISOString();
  return made;
}

// Replaces what is shown only if it is another: who selects text there, or reads it aloud, is not disturbed.
function renew(id, children) {
  const now = document.createElement("div");
  now.append(...children);
  if (at(id).innerHTML !== now.innerHTML) at(id).replaceChildren(...now.childNodes);
}

const patchName = (patch) => `${patch.name}, version ${patch.version}`;

// A set by the names of its patches; what is no set is a word.
function setName(id) {
  if (id === "baseline") return id;
  if (id === "?") return "not known";
  const set = fleet.sets.find((candidate) => candidate.id === id);
  if (!set) return `set ${short(id)}`;
  const names = set.patches.slice(0, 2).map((patch) => `${patch.name} ${patch.version}`).join(", ");
  const more = set.patches.length > 2 ? ` and ${set.patches.length - 2} more` : "";
  return `${names}${more} (${short(id)})`;
}

// Curves

function curve(id) {
  const dataset = (label, dash) => ({
    label, data: [], borderWidth: 2, pointRadius: 0, borderDash: dash, spanGaps: false,
  });
  return new Chart(at(id), {
    type: "line",
    data: { labels: [], datasets: [dataset("treated", []), dataset("untreated", [6, 4])] },
    options: {
      animation: false, responsive: true, maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      scales: { x: { ticks: { maxTicksLimit: 6 }, title: { display: true } }, y: { beginAtZero: true } },
    },
  });
}

function paint(chart) {
  const [treated, untreated] = chart.data.datasets;
  treated.borderColor = treated.backgroundColor = color("treated");
  untreated.borderColor = untreated.backgroundColor = color("quiet");
  chart.options.color = color("text");
  for (const scale of Object.values(chart.options.scales)) {
    scale.ticks.color = color("quiet");
    scale.grid = { color: color("line") };
    if (scale.title) scale.title.color = color("quiet");
  }
  chart.update("none");
}

// What is said instead of a curve: why there is none.
function emptiness(points, measured, options) {
  if (measured === 0) {
    const words = options.flatMap((option) => [" ", element("code", option)]);
    return ["No node reports this. Start the agents with", ...words];
  }
  return [points.length < 2 ? "The curve begins with the second look, in a moment." : "Nothing was counted yet."];
}

function draw(chart, id, view, treated, untreated, unit, measured, options) {
  const points = view.curves;
  const isEmpty = !points.some((point) => point[treated] != null || point[untreated] != null);
  at(id).parentElement.hidden = isEmpty;
  at(`${id}-text`).classList.toggle("empty", isEmpty);
  if (isEmpty) {
    renew(`${id}-text`, emptiness(points, measured, options));
    return;
  }
  chart.data.labels = points.map((point) => time(point.at).clock);
  chart.data.datasets[0].data = points.map((point) => point[treated] ?? null);
  chart.data.datasets[1].data = points.map((point) => point[untreated] ?? null);
  chart.options.scales.x.title.text = time(points.at(-1).at).zone;
  chart.update("none");
  const last = points.at(-1);
  const words = (value) => (value == null ? "nothing counted" : `${value.toFixed(2)} ${unit}`);
  at(`${id}-text`).textContent = `Now: treated ${words(last[treated])}, untreated ${words(last[untreated])}.`;
}

// Parts of the page

function rolloutRows(view) {
  if (!view.plan) return [["rollout", [view.phase === "idle" ? "none was started" : "not known"]]];
  const { plan } = view;
  const set = view.sets.find((candidate) => candidate.id === plan.set);
  const who = [plan.startedBy, plan.signer && `signed by ${plan.signer}`].filter(Boolean).join(", ");
  return [
    ["patches", set ? set.patches.map((patch) => element("div", patchName(patch))) : ["not known"]],
    ["note", [set?.note ?? ""]],
    ["program", [set?.program ?? ""]],
    ["to", [`${plan.selector} (${plan.selected} nodes now)`]],
    ["started by", [who]],
    ["started", [timeElement(plan.startedAt)]],
    ["expires", [timeElement(plan.expires)]],
    ["set", [element("code", short(plan.set))]],
    ["rollout", [element("code", short(plan.id))]],
    ["after an abort", [view.before ? setName(view.before) : "each node goes where the rollouts before say"]],
  ].filter(([, content]) => content[0] !== "");
}

function showRollout(view) {
  const rows = [...rolloutRows(view), ...(view.controller ? [["controller", [view.controller]]] : [])];
  renew("rollout", rows.flatMap(([term, content]) => {
    const words = element("dd");
    words.append(...content);
    return [element("dt", term), words];
  }));
  renew("stages", view.stages.map((stage) => {
    const item = element("li", stage.name, stage.state);
    if (stage.state === "current") item.setAttribute("aria-current", "step");
    return item;
  }));
  at("rollout-why").textContent = view.reason ?? "";
  const words = (weight) => view.findings.filter((finding) => finding.weight === weight)
    .map((finding) => `${finding.gate}: ${finding.words}`);
  const lists = { harm: words("harm"), waits: view.waits, passed: words("passed") };
  for (const [id, lines] of Object.entries(lists)) {
    at(`${id}-part`).hidden = lines.length === 0;
    renew(id, lines.map((line) => element("li", line)));
  }
  at("passed-title").textContent = `Gates that are passed: ${lists.passed.length}`;
}

function labels(node) {
  return Object.entries(node.labels).map(([name, value]) => `${name}=${value}`).sort();
}

function describe(node) {
  const parts = [node.name, states[node.state][1], `is at ${setName(node.set)}`];
  if (node.goal !== node.set) parts.push(`goal ${setName(node.goal)}`);
  if (node.why) parts.push(node.why);
  if (node.build) parts.push(`build ${short(node.build)}`);
  if (node.calls != null) parts.push(`${node.calls} calls of overrides, ${node.faults} failed`);
  return [...parts, ...labels(node)].join(", ");
}

// All words that are searched for have to be in what is known of a node.
function isShown(node) {
  if (chosen.size > 0 && !chosen.has(node.state)) return false;
  const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = [describe(node), node.set, node.goal, node.build].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

function showFilters(nodes) {
  const group = at("filters");
  for (const state of Object.keys(states)) {
    const button = group.querySelector(`[data-state=${state}]`) ?? makeFilter(state);
    const count = nodes.filter((node) => node.state === state).length;
    button.lastChild.textContent = `${count} ${states[state][1]}`;
    button.setAttribute("aria-pressed", String(chosen.has(state)));
  }
}

function makeFilter(state) {
  const button = element("button");
  button.type = "button";
  button.dataset.state = state;
  button.append(element("i", "", state), document.createTextNode(""));
  button.addEventListener("click", () => {
    if (!chosen.delete(state)) chosen.add(state);
    showNodes(fleet.nodes);
  });
  at("filters").append(button);
  return button;
}

function fillRow(row, texts, names) {
  row.setAttribute("role", "row");
  texts.forEach((content, index) => {
    const cell = element("td");
    cell.setAttribute("role", "cell");
    cell.dataset.label = names[index];
    cell.append(content);
    row.append(cell);
  });
  return row;
}

// Nodes with the same reason and the same goal are one row, the worst first.
function showUnwell(nodes) {
  const order = Object.keys(states);
  const unwell = nodes.filter((node) => node.why);
  const rows = Map.groupBy(unwell, (node) => JSON.stringify([node.state, node.why, node.set, node.goal]));
  const sorted = [...rows.values()].sort((a, b) => order.indexOf(a[0].state) - order.indexOf(b[0].state));
  at("unwell-title").textContent = unwell.length > 0 ? `Not well: ${unwell.length}` : "All of them are well";
  at("unwell").parentElement.hidden = unwell.length === 0;
  renew("unwell", sorted.map((group) => {
    const names = group.slice(0, mostNames).map((node) => node.name).join(", ");
    const more = group.length > mostNames ? ` and ${group.length - mostNames} more` : "";
    const [first] = group;
    const row = fillRow(
      element("tr"), [first.why, names + more, setName(first.set), setName(first.goal)],
      ["Why", "Nodes", "Is at", "Goal"]);
    row.firstChild.className = `alone ${first.state}`;
    return row;
  }));
}

function showNodes(all) {
  showFilters(all);
  const nodes = all.filter(isShown);
  showUnwell(nodes);
  at("all-title").textContent = nodes.length === all.length
    ? `All nodes: ${all.length}` : `Nodes that match: ${nodes.length} of ${all.length}`;
  const grid = at("nodes");
  grid.className = nodes.length > 300 ? "many" : "";
  while (grid.children.length > nodes.length) grid.lastChild.remove();
  while (grid.children.length < nodes.length) {
    const cell = element("span");
    cell.setAttribute("role", "option");
    cell.tabIndex = -1;
    grid.append(cell);
  }
  nodes.forEach((node, index) => {
    const cell = grid.children[index];
    cell.className = node.state === "baseline" ? "" : node.state;
    cell.textContent = states[node.state][0];
    cell.dataset.name = node.name;
    cell.title = describe(node);
    cell.setAttribute("aria-label", cell.title);
  });
  const first = [...grid.children].find((cell) => cell.dataset.name === focused) ?? grid.firstChild;
  for (const cell of grid.children) cell.tabIndex = cell === first ? 0 : -1;
}

function showLog(entries, note) {
  renew("log", entries.map((entry) => {
    const row = fillRow(
      element("tr"), [timeElement(entry.at), entry.by, entry.what, note && entry.why === note ? "its note, above" : entry.why],
      ["Time", "By", "What", "Why"]);
    row.firstChild.className = "alone";
    return row;
  }));
}

function showAlert(text) {
  at("alert").hidden = !text;
  if (at("alert").textContent !== text) at("alert").textContent = text;
}

function show(view) {
  fleet = view;
  document.title = `${view.fleet}: ${view.phase}`;
  at("fleet").textContent = view.fleet;
  at("phase").textContent = view.phase;
  at("phase").className = `badge ${view.phase.replaceAll(" ", "-")}`;
  at("halt").hidden = !view.mayHalt || Boolean(view.halted);
  const halted = view.halted && `Halted by ${view.halted.by || "an unknown"}${
    view.halted.at > 0 ? `, ${time(view.halted.at).whole}` : ""}: ${view.halted.why}`;
  showAlert([view.trouble, halted].filter(Boolean).join("\n"));
  showRollout(view);
  showNodes(view.nodes);
  showLog(view.log, view.sets.find((set) => set.id === view.plan?.set)?.note);
  draw(errors, "errors", view, "treatedErrors", "untreatedErrors", "%", view.countRequests,
    ["--metrics FILE", "--requests NAME", "--errors NAME"]);
  draw(latency, "latency", view, "treatedLatency", "untreatedLatency", "ms", view.measureLatency,
    ["--metrics FILE", "--latency NAME"]);
}

// Keyboard: the grid is one stop of the tab key, arrows move in it.

function move(event) {
  const grid = at("nodes");
  const cells = [...grid.children];
  const here = cells.indexOf(document.activeElement);
  if (here < 0) return;
  const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
  const steps = {
    ArrowRight: here + 1, ArrowLeft: here - 1, ArrowDown: here + columns, ArrowUp: here - columns,
    Home: 0, End: cells.length - 1,
  };
  const next = cells[steps[event.key]];
  if (!(event.key in steps)) return;
  event.preventDefault();
  if (next) next.focus();
}

function focusOn(event) {
  focused = event.target.dataset.name ?? null;
  for (const cell of at("nodes").children) cell.tabIndex = cell === event.target ? 0 : -1;
  at("node").textContent = event.target.title;
}

// Halt

function openHalt() {
  at("form").reset();
  at("refusal").textContent = "";
  at("confirm").showModal();
}

async function halt(event) {
  event.preventDefault();
  if (at("name").value !== fleet.fleet) {
    at("refusal").textContent = `The fleet is called ${fleet.fleet}.`;
    return;
  }
  const answer = await fetch("api/halt", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Waxwing-Token": fleet.proof },
    body: JSON.stringify({ reason: at("reason").value, key: at("key").value }),
  });
  if (answer.ok) {
    at("confirm").close();
    refresh();
  } else {
    at("refusal").textContent = await answer.text();
  }
}

// The loop

async function refresh() {
  try {
    const answer = await fetch("api/fleet");
    if (!answer.ok) throw new Error(await answer.text());
    show(await answer.json());
  } catch (error) {
    showAlert(`The console does not answer: ${error.message}`);
  }
}

async function run() {
  for (;;) {
    if (!document.hidden || fleet === null) await refresh();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const errors = curve("errors");
const latency = curve("latency");
const repaint = () => [errors, latency].forEach(paint);
dark.addEventListener("change", repaint);
at("nodes").addEventListener("keydown", move);
at("nodes").addEventListener("focusin", focusOn);
at("nodes").addEventListener("click", (event) => event.target.focus());
at("search").addEventListener("input", () => { if (fleet) showNodes(fleet.nodes); });
at("halt").addEventListener("click", openHalt);
at("cancel").addEventListener("click", () => at("confirm").close());
at("form").addEventListener("submit", halt);
repaint();
run();
