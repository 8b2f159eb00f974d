"""What a specification may claim: one file per claim."""
