"""One script a page, run by the router: filters, one or two queries, components. No SQL and no sentence stands here."""
