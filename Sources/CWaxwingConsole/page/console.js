// SPDX-License-Identifier: MIT
"use strict";

// Asks the tool for the state of the fleet, again and again, and shows it. Names and reasons come from
// the store, which is not trusted: they are only ever set as text.

const pause = 1500;
const states = {
  baseline: ["", "untreated"],
  waiting: ["…", "waiting for the set"],
  treated: ["", "has the set"],
  harmed: ["!", "harmed"],
  silent: ["?", "silent"],
};
const dark = window.matchMedia("(prefers-color-scheme: dark)");
let fleet = null;
let focused = null;

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

const short = (id) => (id ? id.slice(0, 12) : "none");
const clock = (ms) => new Date(ms).toLocaleTimeString();

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
      scales: { x: { ticks: { maxTicksLimit: 6 } }, y: { beginAtZero: true } },
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
  }
  chart.update("none");
}

function draw(chart, id, points, treated, untreated, unit) {
  chart.data.labels = points.map((point) => clock(point.at));
  chart.data.datasets[0].data = points.map((point) => point[treated] ?? null);
  chart.data.datasets[1].data = points.map((point) => point[untreated] ?? null);
  chart.update("none");
  const last = points.at(-1) ?? {};
  const words = (value) => (value == null ? "unknown" : `${value.toFixed(2)} ${unit}`);
  at(id).textContent = `Now: treated ${words(last[treated])}, untreated ${words(last[untreated])}.`;
}

// Parts of the page

function showRollout(view) {
  const rows = view.rollout
    ? [["rollout", short(view.rollout)], ["set", short(view.set)], ["set before", short(view.before)]]
    : [["rollout", "none"]];
  rows.push(["controller", view.controller ?? "none leads"]);
  if (view.bake > 0) rows.push(["watched", `${Math.floor(view.baked)} of ${view.bake} s`]);
  at("rollout").replaceChildren(...rows.flatMap(([term, text]) => [element("dt", term), element("dd", text)]));
  at("stages").replaceChildren(...view.stages.map((stage) => {
    const item = element("li", stage.name, stage.state);
    if (stage.state === "current") item.setAttribute("aria-current", "step");
    return item;
  }));
  at("verdict").textContent = view.verdict ? `${view.verdict}: ${view.reason}` : view.reason ?? "";
  at("findings").replaceChildren(...view.findings.map((finding) =>
    element("li", `${finding.gate}: ${finding.words}`, finding.weight)));
}

function describe(node) {
  const parts = [node.name, states[node.state][1], `build ${short(node.build)}`, `set ${short(node.set)}`];
  if (node.calls != null) parts.push(`${node.calls} calls of overrides, ${node.faults} failed`);
  if (node.crashes) parts.push(`${node.crashes} crashes`);
  if (node.why) parts.push(node.why);
  return parts.join(", ");
}

function showNodes(nodes) {
  const grid = at("nodes");
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
  const counts = Object.keys(states).map((state) => {
    const count = nodes.filter((node) => node.state === state).length;
    const part = element("span");
    part.append(element("i", "", state), `${count} ${states[state][1]}`);
    return part;
  });
  at("legend").replaceChildren(...counts);
}

function showLog(entries) {
  at("log").replaceChildren(...entries.map((entry) => {
    const row = element("tr");
    row.append(
      element("td", new Date(entry.at).toLocaleString()), element("td", entry.by),
      element("td", entry.what), element("td", entry.why));
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
  showAlert(view.trouble ?? (view.halted ? `Halted: ${view.halted}` : ""));
  showRollout(view);
  showNodes(view.nodes);
  showLog(view.log);
  draw(errors, "errors-text", view.curves, "treatedErrors", "untreatedErrors", "%");
  draw(latency, "latency-text", view.curves, "treatedLatency", "untreatedLatency", "ms");
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
at("halt").addEventListener("click", openHalt);
at("cancel").addEventListener("click", () => at("confirm").close());
at("form").addEventListener("submit", halt);
repaint();
run();
