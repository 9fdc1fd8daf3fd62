"""Variants by the hundred: drawn (`expressions`, `random_bank`), held to one `difficulty`, put to an
`examination`, and given to students (`assignment`)."""
