"""What a specification may claim: one file a claim."""
