"""The pages. They read the published snapshot, and never write or start work."""
