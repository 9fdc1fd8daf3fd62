"""Variants by the hundred: drawn, held to one difficulty, examined, and given to students."""
