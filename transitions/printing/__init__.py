"""A figure as text: in the language, as papers print it, and what all messages share."""
