"""A diff becomes changes: what was added, altered or removed, and under which guards.

``derive.derive_changes`` is the way in; ``model`` holds what goes in and out.
"""
