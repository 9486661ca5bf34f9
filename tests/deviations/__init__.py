"""Tests of what is recorded of other runtimes."""
