"""What must be shown for each kind of claim."""
