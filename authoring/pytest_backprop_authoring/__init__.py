"""For those who write exercises: variants drawn by the hundred, answer keys, notebooks to start from,
graphs.

It is a distribution of its own, for instructors: what it writes can be an answer. It does not know submissions or
grades.
"""
