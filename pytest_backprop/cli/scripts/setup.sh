#!/usr/bin/env bash
# Installs the grader, once, when Gradescope builds the container's image.
set -euo pipefail
root="${BACKPROP_AUTOGRADER:-/autograder}"
# an interpreter that has the grader already: nothing to install
if [ -n "${BACKPROP_PYTHON:-}" ]; then exit 0; fi
cd "$root/source"
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv ca-certificates
# the Python that the versions in requirements.txt were chosen with
apt-get install -y --no-install-recommends "python@PYTHON_VERSION@" "python@PYTHON_VERSION@-venv" || true
if "python@PYTHON_VERSION@" -m venv "$root/venv"; then
    pip=("$root/venv/bin/pip" install)
else
    # this Ubuntu does not have it: uv brings it along
    python3 -m venv "$root/uv"
    "$root/uv/bin/pip" install uv
    UV_PYTHON_INSTALL_DIR="$root/python" "$root/uv/bin/uv" venv --clear --python "@PYTHON_VERSION@" "$root/venv"
    pip=("$root/uv/bin/uv" pip install --python "$root/venv/bin/python")
fi
# torch first and alone: any other index may bring gigabytes for GPUs
"${pip[@]}" --index-url https://download.pytorch.org/whl/cpu "@TORCH@"
# constraints.txt has what was installed where this was packed; only what the grader needs is installed
"${pip[@]}" -c constraints.txt "$(echo wheels/*.whl)@EXTRAS@"
