"""What is true about Add-1, in plain Python: no NumPy, no floats on the way to an answer.

``elements`` (the 23 types), ``bits`` (one element and its bits), ``addition`` (the sum of two), ``shapes`` (intervals
and unknown rank), ``broadcast`` (the three rules), ``conversion`` (which types hold which), ``packing`` (which bits of
which byte). Every other way to add in this package is held against these.
"""
