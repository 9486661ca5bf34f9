"""Element types and shapes through a whole graph, from what the file says or from shapes that are given. No NumPy."""
