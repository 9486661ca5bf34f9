"""What ``addison bench`` measures: ``addison.add`` beside whatever else is installed, in one process on one memory.

``cases`` holds what is added, ``peers`` who else adds it, ``measure`` how it is timed.
"""
