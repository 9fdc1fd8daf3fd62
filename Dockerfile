# The grader as an image, see docs/images.md. In a checkout:
#   docker build -t pytest-backprop .
# Python decides which syntax of students' files can be read: --build-arg PYTHON=3.13
ARG PYTHON=3.11
FROM python:${PYTHON}-slim AS wheel
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY variants variants
COPY pytest_backprop pytest_backprop
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:${PYTHON}-slim
# a layer of its own, most of the image: a new version of the grader does not bring it again
ARG TORCH=2.13.0
ARG INDEX=https://download.pytorch.org/whl/cpu
RUN pip install --no-cache-dir "torch==${TORCH}" --extra-index-url "${INDEX}"
# [onnx] for the check of that name, [notebook] for `check` in a cell
ARG EXTRAS=
COPY constraints.txt /wheels/
COPY --from=wheel /wheels/ /wheels/
RUN pip install --no-cache-dir -c /wheels/constraints.txt "$(echo /wheels/*.whl)${EXTRAS}"
# any other user will do as well (docker run --user): nothing is written but reports
RUN useradd --uid 1000 --create-home grader
USER 1000
WORKDIR /class
ENTRYPOINT ["backprop"]
