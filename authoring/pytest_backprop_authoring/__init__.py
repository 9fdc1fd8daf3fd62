"""For those who write exercises: variants drawn by the hundred, answer keys, notebooks to start from,
graphs.

It does not know submissions or grades.
"""
