#!/usr/bin/env bash
# PrairieLearn's entry point. The paths are PrairieLearn's; the variable is for trying it elsewhere.
root="${BACKPROP_GRADE:-/grade}"
mkdir -p "$root/results"
# whatever happens from here on, there is a result, and it is not a 0
cat > "$root/results/results.json" <<'RESULTS'
{"gradable": false, "score": 0, "message": "The grader failed. Tell your instructor.",
 "format_errors": ["The grader failed. Tell your instructor."]}
RESULTS
cd "$root/tests" || exit 0
backprop grade "$root/student" --rootdir "$root" -p no:cacheprovider \
    --backprop-report "prairielearn:$root/results/results.json"
# PrairieLearn throws the results away unless this is 0; pytest ends with 1 when a check failed
exit 0
