// The interpreter, in a worker of its own: ending the worker ends whatever it does.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = (name) => new URL(name, import.meta.url).href;

async function started() {
  const [pyodide, archive] = await Promise.all([
    loadPyodide({ indexURL: here("pyodide/"), env: { HOME: "/home/pyodide", ARCPROOF_STORE: "off", PYTHONHASHSEED: "0" } }),
    fetch(here("python.zip")).then((got) => {
      if (!got.ok) throw new Error(`python.zip: ${got.status}`);
      return got.arrayBuffer();
    }),
  ]);
  const place = pyodide.runPython("import site; site.getsitepackages()[0]");
  pyodide.unpackArchive(archive, "zip", { extractDir: place });
  pyodide.runPython("import importlib; importlib.invalidate_caches()");
  return pyodide.pyimport("arcproof.interface.browser").answer;
}

const interpreter = started();
interpreter.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));

addEventListener("message", async ({ data }) => {
  try {
    const answer = await interpreter;
    postMessage({ id: data.id, answer: JSON.parse(answer(JSON.stringify(data.question))) });
  } catch (error) {
    postMessage({ id: data.id, failed: String(error) });
  }
});
