"""What the registries say of players and clubs, and where they are wrong."""
