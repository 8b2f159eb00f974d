"""What has to be believed: obligations as text, the solvers that discharge them, satisfiable premises."""
