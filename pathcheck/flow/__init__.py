"""The analysis: values, heap, transfer functions, calls, solver. Knows Python, not SGLang."""
