"""A submission's file as Python text, and the definitions in it that the model class needs.

The grader calls `read`, which only reads text. The child process calls `slice_model`, which parses
and runs nothing, and then `load`, which runs the statements that were chosen and no others.
`Statements` leads from a place in the text back to the student's statement."""

from __future__ import annotations

from .candidates import Wanted as Wanted, first_of as first_of, likelihood as likelihood
from .load import (
    LOADS_ANEW as LOADS_ANEW,
    compile_slice as compile_slice,
    fault_of as fault_of,
    load as load,
    put_in_place as put_in_place,
)
from .modules import (
    as_imported as as_imported,
    imports_of as imports_of,
    module_name as module_name,
    reached as reached,
)
from .parse import Statements as Statements, describe_line as describe_line, node_span as node_span
from .read import (
    MAX_CODE as MAX_CODE,
    check_amount as check_amount,
    read as read,
    read_bytes as read_bytes,
    siblings as siblings,
)
from .script import slice_script as slice_script
from .slice import (
    Slice as Slice,
    bound_names as bound_names,
    slice_methods as slice_methods,
    slice_model as slice_model,
    slice_names as slice_names,
)
