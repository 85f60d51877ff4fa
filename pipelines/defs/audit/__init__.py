"""What a page or a report shows, one table a question."""
