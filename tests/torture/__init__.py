"""The torture suite: what arcproof is put through, how often, and what came of it (`make torture`).

    python -m tests.torture --seconds 3600 --seed 1 --output build/torture

`fuzzing` feeds mutated files of every kind to their readers, `killing`, `conditions` and `racing` run every command
under signals and in bad surroundings,
`serving` attacks the local server, `hostile_words` puts hostile words into every output, `limits` measures `--memory`
and `--timeout` from outside.  Each part gives rows of one table (`table`) and findings: files with the smallest input
that still fails.

Everything drawn at random is drawn from the seed.  Nothing is sent anywhere but to the loopback address.
"""
