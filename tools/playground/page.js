// The page: a figure that is typed, what is wrong with it, its runs, its claims.  Markup comes from the templates of arcproof, which escape whatever was typed.
const SECONDS = Number(new URLSearchParams(location.search).get("seconds")) || 120;
const PAUSE = 350;
const byId = (name) => document.getElementById(name);
const [state, select, text, read, problems, board, verified, progress] = ["state", "system", "text", "read", "problems", "board", "verified", "progress"].map(byId);

// One question at a time; the answer to a question that is no longer of interest is dropped by whoever asked it.
class Interpreter {
  constructor() {
    this.waiting = new Map();
    this.last = 0;
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.ready = new Promise((resolve, reject) => {
      this.worker.addEventListener("message", ({ data }) => {
        if (data.ready) resolve();
        else if (data.id === undefined) reject(new Error(data.failed));
        else this.#answered(data);
      });
      this.worker.addEventListener("error", (event) => reject(new Error(event.message || "the worker could not be started")));
    });
    this.ready.catch(() => {});
  }

  #answered({ id, answer, failed }) {
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (failed === undefined) resolve(answer);
    else reject(new Error(failed));
  }

  async ask(question) {
    await this.ready;
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, question });
    });
  }

  end() {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Error("ended"));
  }
}

const sources = fetch(new URL("systems.json", import.meta.url)).then((got) => got.json());
const reader = new Interpreter();
let prover = null;
let query = {};
let isSound = false;
let asked = 0;

// --- the address ---------------------------------------------------------------------------------------------------------

async function packed(string, Stream) {
  const bytes = Stream === CompressionStream ? new TextEncoder().encode(string) : Uint8Array.from(atob(string.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const made = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new Stream("deflate-raw"))).arrayBuffer());
  if (Stream === DecompressionStream) return new TextDecoder().decode(made);
  return btoa(Array.from(made, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function fragment() {
  const known = await sources;
  const named = Object.keys(known).find((name) => known[name] === text.value);
  const figure = named ? { system: named } : { figure: await packed(text.value, CompressionStream) };
  return `#${new URLSearchParams({ ...figure, ...query })}`;
}

async function restore() {
  const known = await sources;
  const { system, figure, ...rest } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (system === undefined && figure === undefined && text.value) return false;
  query = rest;
  try {
    text.value = figure ? await packed(figure, DecompressionStream) : known[system] ?? known[select.options[0].value];
  } catch {
    text.value = known[select.options[0].value];
    read.textContent = "The figure in the address is damaged.";
  }
  shown(known);
  return true;
}

function shown(known) {
  const named = Object.keys(known).find((name) => known[name] === text.value);
  select.value = named ?? "";
  byId("reset").hidden = named !== undefined;
}

async function remember() {
  history.pushState(null, "", await fragment());
}

// --- the figure ----------------------------------------------------------------------------------------------------------

let since = null;

async function look() {
  const number = ++asked;
  const given = text.value;
  const found = await reader.ask({ ask: "check", text: given });
  if (number !== asked) return;
  isSound = found.ok === true;
  told(found);
  history.replaceState(null, "", await fragment());
  byId("start").disabled = !isSound || progress.dataset.busy === "yes";
  if (isSound) await step(query);
  else board.classList.add("stale");
}

function told(found) {
  text.setAttribute("aria-invalid", String(!isSound));
  read.textContent = isSound ? found.summary[0].replace(/^<text>: /, "") : "";
  problems.hidden = !(found.told || found.problem);
  problems.classList.toggle("mild", isSound);
  problems.querySelector("pre").textContent = found.told || found.problem || "";
  const places = (found.problems ?? []).filter((one) => one.line !== null).map((one) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `line ${one.line}, column ${one.column}`;
    button.addEventListener("click", () => go(one));
    return button;
  });
  problems.querySelector(".places").replaceChildren(...places);
}

// Columns are counted in characters, the selection of a text field in UTF-16 units.
function go({ line, column, end }) {
  const lines = text.value.split("\n");
  const before = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  const units = (count) => [...(lines[line - 1] ?? "")].slice(0, count - 1).join("").length;
  text.focus();
  text.setSelectionRange(before + units(column), before + units(Math.max(end, column + 1)));
  text.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(text).lineHeight));
}

text.addEventListener("input", async () => {
  query = {};
  asked++;
  isSound = false;
  for (const part of [board, verified]) part.classList.add("stale");
  byId("start").disabled = true;
  shown(await sources);
  clearTimeout(since);
  since = setTimeout(() => guarded(look), PAUSE);
});

select.addEventListener("change", async () => {
  text.value = (await sources)[select.value];
  query = {};
  byId("reset").hidden = true;
  verified.replaceChildren();
  await remember();
  guarded(look);
});

byId("reset").addEventListener("click", async () => {
  const known = await sources;
  const name = /^\s*system\s+(\S+)/m.exec(text.value)?.[1];
  select.value = name in known ? name : select.options[0].value;
  select.dispatchEvent(new Event("change"));
});

byId("link").addEventListener("click", async (event) => {
  await remember();
  const button = event.target;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "It is in the address bar";
  }
  setTimeout(() => { button.textContent = label; }, 2000);
});

// A place on the page is not part of the state, which is all that the address has.
document.querySelector(".bar-top").addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (!link) return;
  event.preventDefault();
  byId(link.getAttribute("href").slice(1)).scrollIntoView();
});

// --- runs ----------------------------------------------------------------------------------------------------------------

async function step(wanted) {
  const number = asked;
  const found = await reader.ask({ ask: "step", text: text.value, query: wanted });
  if (number !== asked) return;
  query = wanted;
  board.innerHTML = found.html ?? "";
  board.classList.remove("stale");
  window.arcproof.runs(board);
}

async function follow(wanted) {
  asked++;
  await step(wanted);
  await remember();
  const next = board.querySelector(".next, .attention");
  next?.setAttribute("tabindex", "-1");
  next?.focus({ preventScroll: true });
}

board.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="/"]');
  if (!link) return;
  event.preventDefault();
  if (isSound) guarded(() => follow(Object.fromEntries(new URLSearchParams(link.getAttribute("href").slice(2)))));
});

board.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = [...new FormData(event.target)].filter(([, value]) => value);
  if (isSound) guarded(() => follow(Object.fromEntries(given)));
});

// --- claims --------------------------------------------------------------------------------------------------------------

async function verify() {
  const given = text.value;
  const words = Number(byId("words").value);
  prover ??= new Interpreter();
  const began = Date.now();
  busy(true);
  verified.classList.add("stale");
  const clock = setInterval(() => { progress.textContent = `Verifying … ${Math.round((Date.now() - began) / 1000)} s`; }, 500);
  const limit = setTimeout(() => halt(`Ended after ${SECONDS} s: with fewer words it takes less time.`), SECONDS * 1000);
  try {
    const found = await prover.ask({ ask: "verify", text: given, words });
    progress.textContent = found.problem ?? "";
    verified.innerHTML = found.html ?? "";
    verified.classList.toggle("stale", given !== text.value);
    window.arcproof.runs(verified);
  } catch (error) {
    if (error.message !== "ended") throw error;
    verified.replaceChildren();
  } finally {
    clearInterval(clock);
    clearTimeout(limit);
    busy(false);
  }
}

function halt(reason) {
  prover?.end();
  prover = null;
  progress.textContent = reason;
}

function busy(is) {
  progress.dataset.busy = is ? "yes" : "no";
  byId("start").disabled = is || !isSound;
  byId("stop").hidden = !is;
}

byId("start").addEventListener("click", () => guarded(verify));
byId("stop").addEventListener("click", () => {
  halt("Stopped.");
});

// --- what went wrong -----------------------------------------------------------------------------------------------------

async function guarded(work) {
  try {
    await work();
  } catch (error) {
    state.className = "state failed";
    state.hidden = false;
    state.textContent = `The interpreter failed: ${error.message.trim().split("\n").at(-1)}`;
    console.error(error);
  }
}

addEventListener("popstate", () => guarded(async () => {
  if (await restore()) await look();
}));

guarded(async () => {
  await restore();
  await reader.ready;
  state.className = "state ready";
  state.textContent = "The interpreter is ready.";
  await look();
  document.documentElement.dataset.ready = "yes";
});
