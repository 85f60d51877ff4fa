"""Files of the inbox into the lake, and their lines as records."""
