"""Tests of reading IR files; files are made as text by ``tests.ir.build``."""
