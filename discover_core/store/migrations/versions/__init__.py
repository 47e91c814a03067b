"""One file per version; each holds the step from the one before."""
