"""The environment variables of a zygote and its children: nothing of the grader's own."""

from __future__ import annotations

import os

KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # large tensors go back to the kernel when they are released: memory is what is alive
    "MALLOC_MMAP_THRESHOLD_": "131072",
    # large pages for what the zygote holds: a fork copies far fewer entries of its page tables
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


def environment() -> dict[str, str]:
    """What a zygote is started with."""
    return ENVIRONMENT | {key: os.environ[key] for key in KEPT if key in os.environ}
