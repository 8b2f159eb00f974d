"""Native code for figures: `packed` explores configurations in machine words, `arrays` runs sentences of any length."""
