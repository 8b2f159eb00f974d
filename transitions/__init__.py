"""Figures: reading, checking, running and printing them."""
