"""Every record judged alone, file by file."""
