"""What the Makefile runs in addition to the package."""
