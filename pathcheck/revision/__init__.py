"""Git objects read through GitPython: ranges, trees, diffs. Never a checkout, never a write."""
