"""The tests are a package, so that they can share ``tests.same_bits`` and ``tests.strategies``."""
