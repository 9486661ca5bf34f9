"""OpenVINO IR in and out: XML events, the frozen model, the reader, the weights. No NumPy."""
