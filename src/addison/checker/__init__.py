"""What is wrong with an IR file, all of it at once. No NumPy."""
