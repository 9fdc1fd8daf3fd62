"""Grading on a Dask cluster: the same judges, beside each Dask worker.

`client` is pytest's side and stands in for the pool of this machine; `workers` is what Dask workers
call, with what travels to them, as bytes. The room knows nothing of how a submission is judged, and
no student's code runs in a Dask worker.
"""
