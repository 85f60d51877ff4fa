"""The one resource: the warehouse. Its home is read from the environment when a run starts, never at import."""

import os
from pathlib import Path

import dagster as dg

from pipelines.warehouse import Warehouse


class Home(dg.ConfigurableResource[Warehouse]):
    """The home folder: ``home`` if given, else ``YUANZI_HOME``, else ``data``."""

    home: str = ""

    def create_resource(self, context: dg.InitResourceContext) -> Warehouse:
        """The warehouse of a run."""
        return Warehouse(Path(self.home or os.environ.get("YUANZI_HOME") or "data"))
