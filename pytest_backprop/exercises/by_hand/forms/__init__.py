"""The forms in which courses ask for gradients by hand, each an exercise in one file. A new form
has its line here.

None loads torch when it is imported, as pytest's own process has the forms and does without."""

from __future__ import annotations

from .dot_g import DOT_G, DOT_G_FORM
from .forward_backward import FORWARD_BACKWARD
from .layer import LAYER, LAYER_FORM
from .mlp import MLP, MLP_FORM
from .modules import MODULES, MODULES_FORM
from .param_pairs import PARAM_PAIRS, PARAM_PAIRS_FORM
from .script import SCRIPT, SCRIPT_FORM
from .value_and_gradient import VALUE_AND_GRADIENT, VALUE_AND_GRADIENT_FORM

FORMS = (FORWARD_BACKWARD, LAYER, VALUE_AND_GRADIENT, MODULES, DOT_G, MLP, PARAM_PAIRS, SCRIPT)
HAND_FORMS = {
    form.name: form
    for form in (
        LAYER_FORM,
        VALUE_AND_GRADIENT_FORM,
        MODULES_FORM,
        DOT_G_FORM,
        MLP_FORM,
        PARAM_PAIRS_FORM,
        SCRIPT_FORM,
    )
}
"""Those whose tasks are functions of tensors, by name."""
