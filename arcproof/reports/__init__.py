"""Pictures, tables and pages: how arcproof shows figures, runs and verdicts."""
