"""What every figure is asked, whether it claims anything or not: one file a check."""
