"""Built-in treebanks."""
