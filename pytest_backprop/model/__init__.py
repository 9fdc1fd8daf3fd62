"""Plain, frozen data shared by every room of the house. No torch here, and no other behaviour.

What a submission is (`submission`), what a child saw of it (`recording`), what the grader says of
it (`verdict`), what pages draw (`drawing`), and what two passes may share (`trait`).
"""

from .recording import (
    LOSS as LOSS,
    VALUE as VALUE,
    Arg as Arg,
    Breach as Breach,
    Complex as Complex,
    Context as Context,
    Evidence as Evidence,
    Fault as Fault,
    Items as Items,
    Layout as Layout,
    Leaf as Leaf,
    Life as Life,
    MethodName as MethodName,
    Observation as Observation,
    Op as Op,
    Origin as Origin,
    Output as Output,
    Recording as Recording,
    Ref as Ref,
    Scenario as Scenario,
    Statement as Statement,
    Symbol as Symbol,
    Tensor as Tensor,
    Value as Value,
    gradient_of as gradient_of,
    gradient_places as gradient_places,
    is_gradient as is_gradient,
    second_of as second_of,
    stretches as stretches,
)
from .submission import (
    Place as Place,
    Span as Span,
    Submission as Submission,
    Unit as Unit,
)
from .verdict import (
    CHECK_IDS as CHECK_IDS,
    COURSE_KIND as COURSE_KIND,
    NO_GRADE as NO_GRADE,
    NUMBERS as NUMBERS,
    OTHER_TASK as OTHER_TASK,
    PLUGGED_NAME as PLUGGED_NAME,
    Basis as Basis,
    CheckResult as CheckResult,
    CheckRules as CheckRules,
    Finding as Finding,
    Grade as Grade,
    GradedCheck as GradedCheck,
    GroupMember as GroupMember,
    Lateness as Lateness,
    LateRules as LateRules,
    Outcome as Outcome,
    Status as Status,
    VariantSource as VariantSource,
    Visibility as Visibility,
)
