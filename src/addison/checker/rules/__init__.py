"""The rules, one file each, and a page for every code (``A302.md``): the docs, what ``explain`` prints, and a test.

A page ends in two examples, a file that fires the rule and one that just does not; both are run.
"""
