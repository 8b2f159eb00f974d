"""Feature models on board."""
