"""pytest's side of a run: what is collected, an item a check, what is written at the end.

It knows pytest, options and folders, and hands each submission to `grading`. It does not
know how anything is judged, and nothing of a student's runs here."""
