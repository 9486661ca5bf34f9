"""Why an answer is what it is, as data: a finding's page, a type, a rule, two shapes, two values. No NumPy.

Each is a frozen value whose ``str`` is text for people; ``addison.report`` renders them.
"""
