"""Grading on a Dask cluster: the same judge, in a process of its own beside each Dask worker.

`client` is pytest's side and looks like the judge; `tasks` is what Dask workers run, `host` the process
with the judge, `packing` what travels to it; `protocol` is what all of them say to each other, as bytes.
The room knows nothing of how a submission is judged, and no student's code runs in a Dask worker.
"""
