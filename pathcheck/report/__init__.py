"""Answers become text or JSON: one file per format behind ``base.Format``."""
