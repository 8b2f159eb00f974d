"""Built-in feature models."""
