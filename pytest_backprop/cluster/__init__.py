"""Grading on a Dask cluster: the same judges, beside each Dask worker.

`workers` has what Dask workers call, and pytest's side, which stands in for the judges of this
machine. The room knows nothing of how a submission is judged, and no student's code runs in a Dask
worker."""
