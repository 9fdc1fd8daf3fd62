"""Which submissions of one task are more alike than the task makes them: a reason to look, no
verdict.

`traits` says what a pass calculates, and travels with the grade; `comparison` weighs the traits of
a class and `page` shows the pairs. It does not know how anything is graded. The core calls it by
`rooms`."""
