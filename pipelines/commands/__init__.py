"""What the subcommands of ``yuanzi`` do, one module a family; ``pipelines.cli`` names them and reads their options.

Modules are imported when their command is called, so that none waits for what only another needs.
"""
