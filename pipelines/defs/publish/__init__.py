"""The snapshot that readers open, and what may be thrown away then."""
