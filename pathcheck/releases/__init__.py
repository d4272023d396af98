"""SGLang releases from the package index as a git repository. Nothing of them is installed or run."""
