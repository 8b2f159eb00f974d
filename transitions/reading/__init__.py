"""From the text of a specification to a figure, or to every mistake in it with its place."""
