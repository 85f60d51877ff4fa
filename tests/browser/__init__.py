"""The pages in a real browser: ``make test-browser``. The ordinary run of the tests leaves this folder out."""
