"""What editors need to know about a specification: its problems, the meaning of its words, what may come next, where
names are declared, how it is formatted.

Everything except `server` works on plain texts, without an editor; `server` answers an editor's requests (`arcproof
lsp`).  The words for highlighting (`words`) come from the grammar; `pygments_lexer` and `textmate` are two forms of
them.
"""
