"""The command line: one verb, one file. Prints, never decides."""
