"use strict";
// Runs to step through, tooltips for the marks of the summary, light and dark themes.  Nothing here writes markup: nodes are cloned, texts are set.
(() => {
  const numbers = (text) => new Set((text || "").split(" ").filter(Boolean));

  function stepper(run) {
    const rows = [...run.querySelectorAll(".rows tbody tr:not(.why)")];
    const heads = [...run.querySelectorAll(".rows thead th")].slice(1, -1);
    const arcs = [...run.querySelectorAll(".arc[data-arc]")];
    const drawn = run.querySelector(".drawn");
    const by = run.querySelector(".by");
    const said = run.querySelector(".said");
    const output = run.querySelector("output");
    const button = (name) => run.querySelector(`[data-go="${name}"]`);
    const rules = rows.map(rule);
    const states = rows.map(state);
    const moves = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => rows.length - 1 };
    let at = 0;

    function state(row) {
      const pane = document.createElement("div");
      pane.append(...heads.map((head, k) => {
        const line = document.createElement("div");
        const name = document.createElement("span");
        name.className = "of";
        name.append(...[...head.childNodes].map((node) => node.cloneNode(true)));
        line.append(name, ...[...row.cells[k + 1].childNodes].map((node) => node.cloneNode(true)));
        return line;
      }));
      return pane;
    }

    function rule(row) {
      const pane = document.createElement("div");
      const of = row.dataset.rule && document.getElementById(`${run.dataset.of}.rule.${row.dataset.rule}`);
      if (!of) return pane;
      const line = row.dataset.line && document.getElementById(`${run.dataset.of}.oracle.${row.dataset.line}`);
      for (const child of of.children) pane.append(child.cloneNode(true));
      const bound = row.querySelector(".bindings");
      if (bound && bound.textContent.trim()) {
        const copy = bound.cloneNode(true);
        copy.hidden = false;
        pane.append(copy);
      }
      if (line) pane.append(asked(line));
      return pane;
    }

    // The line of the oracle that asked for a step, as the figure prints it.
    function asked(line) {
      const part = document.createElement("div");
      part.className = "asked";
      const called = document.createElement("span");
      called.className = "quiet";
      called.textContent = line.dataset.called;
      part.append(called);
      for (const cell of line.cells) {
        const copy = document.createElement("span");
        copy.className = cell.className;
        copy.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
        part.append(copy);
      }
      return part;
    }

    // States, rules and notes of all steps lie on top of each other, so that the tallest decides the height and nothing moves from step to step.
    function reserve() {
      by.replaceChildren(...rules);
      drawn.replaceChildren(...states);
      for (const note of new Set(rows.map((row) => row.dataset.note).filter(Boolean))) {
        const room = document.createElement("p");
        room.className = "room bad";
        room.setAttribute("aria-hidden", "true");
        room.textContent = note;
        said.after(room);
      }
    }

    function go(to, quietly) {
      at = Math.max(0, Math.min(rows.length - 1, to));
      const row = rows[at];
      const [shown, crossing, fresh] = ["shown", "crossing", "new"].map((name) => numbers(row.dataset[name]));
      for (const arc of arcs) {
        arc.classList.toggle("absent", !shown.has(arc.dataset.arc));
        arc.classList.toggle("x", crossing.has(arc.dataset.arc));
        arc.classList.toggle("new", fresh.has(arc.dataset.arc));
      }
      rows.forEach((other, k) => k === at ? other.setAttribute("aria-current", "step") : other.removeAttribute("aria-current"));
      for (const panes of [states, rules]) panes.forEach((pane, k) => pane.classList.toggle("now", k === at));
      said.textContent = row.dataset.note || "";
      said.classList.toggle("bad", row.classList.contains("bad"));
      output.textContent = at === 0 ? `start, then ${rows.length - 1} transition${rows.length === 2 ? "" : "s"}` : `${row.cells[0].textContent.trim()}, ${at} of ${rows.length - 1}`;
      for (const name of Object.keys(moves)) button(name).setAttribute("aria-disabled", String(moves[name]() === at || !rows[moves[name]()]));
      if (!quietly) run.dispatchEvent(new CustomEvent("step", { detail: at }));
    }

    for (const name of Object.keys(moves)) button(name).addEventListener("click", () => go(moves[name]()));
    run.addEventListener("keydown", (event) => {
      const name = { ArrowLeft: "back", ArrowRight: "next", ArrowUp: "back", ArrowDown: "next", Home: "first", End: "last" }[event.key];
      if (!name || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(moves[name]());
    });
    rows.forEach((row, k) => {
      row.addEventListener("click", () => go(k));
      if (row.nextElementSibling?.matches(".why")) row.nextElementSibling.addEventListener("click", () => go(k));
    });
    run.querySelector(".controls").hidden = false;
    reserve();
    const first = rows.findIndex((row) => row.classList.contains("bad"));
    go(run.dataset.at ? Number(run.dataset.at) : first > 0 ? first : rows.length - 1, true);
    return go;
  }

  function tips() {
    const tip = document.getElementById("tip");
    if (!tip) return;
    const hide = () => { tip.hidden = true; };
    function show(chip) {
      const text = document.getElementById(chip.getAttribute("aria-describedby"));
      if (!text) return;
      tip.replaceChildren(...[...text.childNodes].map((node) => node.cloneNode(true)));
      tip.hidden = false;
      const place = chip.getBoundingClientRect();
      const own = tip.getBoundingClientRect();
      const left = Math.max(8, Math.min(place.left, innerWidth - own.width - 8));
      const below = place.bottom + 8;
      tip.style.left = `${left}px`;
      tip.style.top = `${below + own.height < innerHeight ? below : Math.max(8, place.top - own.height - 8)}px`;
    }
    for (const chip of document.querySelectorAll("[aria-describedby].chip")) {
      chip.addEventListener("mouseenter", () => show(chip));
      chip.addEventListener("focus", () => show(chip));
      chip.addEventListener("mouseleave", hide);
      chip.addEventListener("blur", hide);
    }
    addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
    addEventListener("scroll", hide, { passive: true });
  }

  function theme() {
    const button = document.querySelector("button.theme");
    if (!button) return;
    const root = document.documentElement;
    const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const label = () => { button.textContent = dark() ? "Light" : "Dark"; };
    button.hidden = false;
    button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; label(); });
    label();
  }

  function jump() {
    const select = document.querySelector("select.jump");
    if (!select) return;
    select.addEventListener("change", () => { if (select.value) { location.hash = select.value; select.value = ""; } });
  }

  function printing() {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details:not([open])")];
      for (const part of opened) part.open = true;
    });
    addEventListener("afterprint", () => { for (const part of opened) part.open = false; });
  }

  // A run inside something folded is set up when it is first seen, so that a long page opens at once.
  function runs(within = document) {
    for (const run of within.querySelectorAll(".run:not(.static)")) {
      const folded = run.closest("details:not([open])");
      if (folded) folded.addEventListener("toggle", () => stepper(run), { once: true });
      else stepper(run);
    }
  }

  function unfold() {
    const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    for (let part = place; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    for (const part of place.querySelectorAll("details.evidence")) part.open = true;
    if (place.matches(".claim")) place.querySelector(".run")?.focus({ preventScroll: true });
  }

  window.arcproof = { stepper, runs };
  runs();
  tips();
  theme();
  jump();
  printing();
  addEventListener("hashchange", unfold);
  // A link to the current anchor does not change the address, but should still scroll there.
  addEventListener("click", (event) => { if (event.target.closest?.('a[href^="#"]')?.hash === location.hash) setTimeout(unfold); });
  unfold();
})();
