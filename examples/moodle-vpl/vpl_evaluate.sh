#!/bin/bash
# An execution file of a Moodle VPL activity: VPL runs it, and then the vpl_execution that it writes.
# The machine that runs submissions has the grader installed. The activity's maximum grade has
# to be the rubric's, 100 by default.
cat > vpl_execution <<'END'
#!/bin/bash
# outside of what was handed in: a file of the student's must not pass for the result
place="$(mktemp -d)"
backprop grade "$PWD" --backprop-variant v8 \
    --backprop-report "moodle-vpl:$place/out.txt" > "$place/log.txt" 2>&1
# VPL finds a grade in whatever is printed: so nothing else is
if [ -f "$place/out.txt" ]; then cat "$place/out.txt"; else echo "Comment :=>>The grader failed."; fi
rm -rf "$place"
END
chmod +x vpl_execution
