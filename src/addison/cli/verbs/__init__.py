"""The verbs, each imported only when it is used."""
