"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const layers = data.graph.layers;
  const place = new Map(layers.map((layer, n) => [layer.index, n]));
  const view = byId("view"), svg = view.querySelector("svg"), scene = svg.querySelector(".scene");
  const nodes = [...scene.querySelectorAll(".node")], wires = [...scene.querySelectorAll(".wire")];
  const size = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };

  // -- looking: what is drawn at (x, y) of the scene stands at (x * scale + left, y * scale + top) of the view

  const look = { left: 0, top: 0, scale: 1 };
  const SMALLEST = 0.04, LARGEST = 4;

  function show() {
    scene.setAttribute("transform", `translate(${look.left.toFixed(2)} ${look.top.toFixed(2)}) scale(${look.scale.toFixed(4)})`);
    byId("scale").textContent = `${Math.round(look.scale * 100)}%`;
  }

  function zoom(factor, x = view.clientWidth / 2, y = view.clientHeight / 2) {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, look.scale * factor));
    look.left = x - (x - look.left) * (scale / look.scale);
    look.top = y - (y - look.top) * (scale / look.scale);
    look.scale = scale;
    show();
  }

  function pan(x, y) {
    look.left += x;
    look.top += y;
    show();
  }

  function fit() {
    look.scale = Math.max(SMALLEST, Math.min(1, view.clientWidth / size.width, view.clientHeight / size.height));
    look.left = (view.clientWidth - size.width * look.scale) / 2;
    look.top = (view.clientHeight - size.height * look.scale) / 2;
    show();
  }

  function middle(n) {
    const box = nodes[n].querySelector("rect"), at = nodes[n].transform.baseVal.consolidate().matrix;
    return { x: at.e + box.width.baseVal.value / 2, y: at.f + box.height.baseVal.value / 2 };
  }

  function jump(n, down = 0.5) {
    const at = middle(n);
    look.scale = Math.max(look.scale, 0.7);
    look.left = view.clientWidth / 2 - at.x * look.scale;
    look.top = view.clientHeight * down - at.y * look.scale;
    show();
  }

  function start() {
    const fits = Math.min(view.clientWidth / size.width, view.clientHeight / size.height);
    if (fits >= 0.6 || !nodes.length) return fit();
    const asked = data.graph.around ? place.get(data.graph.around.layer) : undefined;
    const wrong = nodes.findIndex((node) => node.classList.contains("error"));
    if (asked !== undefined || wrong >= 0) return jump(asked ?? wrong);
    return jump(Math.max(0, layers.findIndex((layer) => layer.kind === "input")), 0.08);
  }

  // -- the panel

  function make(tag, words, kind) {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    if (words !== undefined) made.textContent = words;
    return made;
  }

  const fact = (one) => `${one.element_type} [${one.shape === null ? "..." : one.shape.join(",")}]`;
  const named = (layer) => layer.name || `(layer ${layer.id})`;

  function link(n, words) {
    const made = make("button", words, "link");
    made.type = "button";
    made.addEventListener("click", () => { select(n); jump(n); });
    return made;
  }

  function section(into, title, items) {
    if (!items.length) return;
    const list = make("ul");
    for (const item of items) {
      const row = make("li");
      row.append(...item);
      list.append(row);
    }
    into.append(make("h2", title), list);
  }

  function rows(into, title, pairs) {
    if (!pairs.length) return;
    const table = make("table");
    for (const [key, value] of pairs) {
      const row = make("tr");
      row.append(make("th", key), make("td", value, "mono"));
      table.append(row);
    }
    if (title) into.append(make("h2", title));
    into.append(table);
  }

  function finding(one) {
    const box = make("div", undefined, `finding ${one.severity}`);
    const where = one.span ? ` line ${one.span.line}` : "";
    box.append(make("strong", `${one.severity} ${one.code}`), make("span", where, "soft"), make("p", one.message));
    if (one.label) box.append(make("p", one.label));
    if (one.help) box.append(make("p", `help: ${one.help}`, "soft"));
    return box;
  }

  function other(index, words) {
    const n = place.get(index);
    return n === undefined ? make("span", `${words} (not shown)`, "soft") : link(n, `${words} ${named(layers[n])}`);
  }

  function describe(n) {
    const layer = layers[n], into = byId("details");
    into.replaceChildren(make("h2", layer.type), make("p", named(layer), "title mono"));
    for (const k of layer.findings) into.append(finding(data.findings[k]));
    rows(into, "", [["id", layer.id], ["version", layer.version], ["line", layer.line], ["path", layer.path]]);
    rows(into, "Attributes", Object.entries(layer.attributes));
    section(into, "Inputs", layer.inputs.map((one, k) => {
      const from = one.source === null ? make("span", "not connected", "soft") : other(one.source.layer, "from");
      return [make("span", `${k}  ${fact(one)} `, "mono"), from];
    }));
    const out = [];
    layer.outputs.forEach((one, k) => {
      out.push([make("span", `${k}  ${fact(one)}`, "mono")]);
      if (one.names.length) out.push([make("span", `names: ${one.names.join(", ")}`, "soft")]);
      for (const edge of data.graph.edges) {
        if (edge.source.layer === layer.index && edge.source.output === k) out.push([other(edge.target.layer, "to")]);
      }
    });
    section(into, "Outputs", out);
    section(into, "Bodies", layer.bodies.map((path) => [make("span", `${path}: `), make("code", data.commands[path])]));
    rows(into, "Runtime information", layer.rt_info.map((one) => [one.name ?? "", Object.entries(one)
      .filter(([key]) => key !== "name").map(([key, value]) => `${key}=${value}`).join(" ")]));
    for (const line of layer.more) into.append(make("p", line, "soft"));
    const back = make("button", "Back to the model");
    back.type = "button";
    back.addEventListener("click", () => select(-1));
    into.append(make("p"), back);
  }

  function summarise() {
    const into = byId("summary");
    const of = (kind) => layers.map((layer, n) => [layer, n]).filter(([layer]) => layer.kind === kind);
    const listed = (kind, facts) => of(kind).slice(0, 200).map(([layer, n]) =>
      [link(n, named(layer)), make("span", ` ${(layer[facts][0] ? fact(layer[facts][0]) : "")}`, "mono soft")]);
    if (data.findings.length) {
      into.append(make("h2", `Findings (${data.found})`));
      data.findings.slice(0, 200).forEach((one, k) => {
        const box = finding(one), n = layers.findIndex((layer) => layer.findings.includes(k));
        if (n >= 0) box.append(link(n, `at ${named(layers[n])}`));
        into.append(box);
      });
      if (data.found > 200) into.append(make("p", `and ${data.found - 200} more: addison check lists them all`, "soft"));
    }
    section(into, "Inputs", listed("input", "outputs"));
    section(into, "Outputs", listed("output", "inputs"));
    section(into, `Adds (${of("add").length})`, listed("add", "outputs"));
    section(into, "Bodies", Object.entries(data.commands).map(([path, command]) =>
      [make("span", `${path}: `), make("code", command)]));
    rows(into, "Runtime information", Object.entries(data.rt_info));
  }

  let selected = -1;

  function select(n) {
    if (selected >= 0) nodes[selected].classList.remove("selected");
    selected = n;
    if (n >= 0) {
      nodes[n].classList.add("selected");
      describe(n);
    }
    for (const wire of wires) wire.classList.toggle("near", n >= 0 && (wire.dataset.a === `${n}` || wire.dataset.b === `${n}`));
    byId("details").hidden = n < 0;
    byId("summary").hidden = n >= 0;
    byId("side").scrollTop = 0;
  }

  // -- searching

  let hits = [], current = -1;

  function search(words) {
    const wanted = words.trim().toLowerCase();
    for (const n of hits) nodes[n].classList.remove("hit", "current");
    hits = wanted ? layers.flatMap((layer, n) => found(layer, wanted) ? [n] : []) : [];
    for (const n of hits) nodes[n].classList.add("hit");
    svg.classList.toggle("searching", hits.length > 0);
    current = -1;
    byId("count").textContent = wanted && !hits.length ? "none" : "";
    if (hits.length) step(1);
  }

  function found(layer, wanted) {
    return [layer.name, layer.type, `${layer.id}`, ...layer.outputs.flatMap((one) => one.names)]
      .some((words) => words.toLowerCase().includes(wanted));
  }

  function step(by) {
    if (!hits.length) return;
    if (current >= 0) nodes[hits[current]].classList.remove("current");
    current = (current + by + hits.length) % hits.length;
    nodes[hits[current]].classList.add("current");
    byId("count").textContent = `${current + 1} of ${hits.length}`;
    jump(hits[current]);
  }

  // -- what the user does

  byId("search").addEventListener("input", (event) => search(event.target.value));
  byId("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
      if (current >= 0) select(hits[current]);
    } else if (event.key === "Escape") {
      event.target.value = "";
      search("");
      view.focus();
    }
  });
  byId("in").addEventListener("click", () => zoom(1.25));
  byId("out").addEventListener("click", () => zoom(0.8));
  byId("scale").addEventListener("click", () => zoom(1 / look.scale));
  byId("fit").addEventListener("click", fit);
  window.addEventListener("resize", show);

  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1, box = view.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) {
      zoom(Math.exp(-event.deltaY * unit * 0.004), event.clientX - box.left, event.clientY - box.top);
    } else if (event.shiftKey && !event.deltaX) {
      pan(-event.deltaY * unit, 0);
    } else {
      pan(-event.deltaX * unit, -event.deltaY * unit);
    }
  }, { passive: false });

  let drag = null;
  view.addEventListener("pointerdown", (event) => {
    if (event.button === 0) drag = { x: event.clientX, y: event.clientY, moved: false };
  });
  view.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const x = event.clientX - drag.x, y = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(x, y) < 4) return;
    if (!drag.moved) view.setPointerCapture(event.pointerId);
    view.classList.add("moving");
    pan(x, y);
    drag = { x: event.clientX, y: event.clientY, moved: true };
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    view.addEventListener(kind, (event) => {
      const node = event.target.closest ? event.target.closest(".node") : null;
      if (kind === "pointerup" && drag && !drag.moved) select(node ? Number(node.dataset.n) : -1);
      drag = null;
      view.classList.remove("moving");
    });
  }

  const KEYS = {
    ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
    PageUp: () => pan(0, view.clientHeight * 0.8), PageDown: () => pan(0, -view.clientHeight * 0.8),
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit, 1: () => zoom(1 / look.scale),
    n: () => step(1), p: () => step(-1), "/": () => byId("search").focus(), Escape: () => select(-1),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const node = event.target.closest ? event.target.closest(".node") : null;
    if (node && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      select(Number(node.dataset.n));
    } else if (KEYS[event.key] && !(event.target instanceof HTMLButtonElement && event.key === "Enter")) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });

  svg.removeAttribute("viewBox");
  svg.setAttribute("width", "100%");
  svg.setAttribute("height", "100%");
  view.classList.add("live");
  nodes.forEach((node) => {
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.addEventListener("focus", () => { if (node.matches(":focus-visible")) jump(Number(node.dataset.n)); });
  });
  summarise();
  start();
})();
