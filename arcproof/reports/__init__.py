"""Pictures, tables and pages: what arcproof shows of figures, runs and verdicts."""
