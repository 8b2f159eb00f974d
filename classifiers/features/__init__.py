"""Declarative feature models, and their extraction."""
