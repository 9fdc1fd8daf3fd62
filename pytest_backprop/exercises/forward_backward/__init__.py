"""The course's homework 1.1: a function of weights and inputs, differentiated by hand.

`bank` reads the functions, `scenarios` says at which points they are tried, `reference` gives their
values and gradients by autograd there, `identity` decides whether a recording is the very function.
It does not know how a submission is run.
"""
