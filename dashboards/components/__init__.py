"""What pages are put together from. A component shows what it is given and asks no table."""
