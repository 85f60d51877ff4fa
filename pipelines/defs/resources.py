"""The one resource: the warehouse. Its home is read from the environment when a run starts, never at import."""

import os
from pathlib import Path

import dagster as dg

from pipelines.warehouse import Warehouse

#: Seconds for which a step of a run waits for another run to give the home free, before it fails.
PATIENCE = 900.0


class Home(dg.ConfigurableResource[Warehouse]):
    """The home folder: ``home`` if given, else ``YUANZI_HOME``, else ``data``."""

    home: str = ""

    def create_resource(self, context: dg.InitResourceContext) -> Warehouse:
        """The warehouse of a run."""
        warehouse = Warehouse(Path(self.home or os.environ.get("YUANZI_HOME") or "data"))
        warehouse.lock.wait = PATIENCE
        return warehouse
