"""Turn the text of a specification into a figure, or into a list of every mistake with its place."""
