"""The environment variables of a zygote and its children: nothing of the grader's own."""

from __future__ import annotations

import os
import tempfile

KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # large pages for what the zygote holds: a fork copies far fewer entries of its page tables
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    # torch's compiler, which `torch.compiler.disable` imports too, makes its folder and fails where it may not:
    # one that is there already is no trouble
    "TORCHINDUCTOR_CACHE_DIR": tempfile.gettempdir(),
    # what is in `torch.compile` runs as it is written
    "TORCHDYNAMO_DISABLE": "1",
    # autograd starts a thread for each of these devices, and none may be there at a fork
    "CUDA_VISIBLE_DEVICES": "",
}


def environment() -> dict[str, str]:
    """What a zygote is started with."""
    return ENVIRONMENT | {key: os.environ[key] for key in KEPT if key in os.environ}
