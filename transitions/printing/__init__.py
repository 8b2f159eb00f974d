"""A figure as text: in the language and as papers print it; and what all messages share."""
