"""What the Makefile runs besides the package."""
