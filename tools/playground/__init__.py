"""The page on which arcproof is tried without being installed: the interpreter in the browser, on Pyodide."""
