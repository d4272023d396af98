"""Differential fuzzing: made-up programs, run under CPython and analysed under the same facts."""
