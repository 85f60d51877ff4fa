"""A Dagster instance that keeps no record of what happens: for runs that nobody can look up when they are over.

Dagster's own instance for that keeps every event in a database in memory, several statements each. That takes longer
than judging a small file, and most of the time of a small run. Steps, checks and failures are told to the caller all
the same; only the partitions are remembered, for as long as the instance lives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagster import DagsterInstance, EventRecordsResult
from dagster._core.instance.types import InstanceType
from dagster._core.launcher.sync_in_memory_run_launcher import SyncInMemoryRunLauncher
from dagster._core.run_coordinator import DefaultRunCoordinator
from dagster._core.storage.event_log import InMemoryEventLogStorage
from dagster._core.storage.noop_compute_log_manager import NoOpComputeLogManager
from dagster._core.storage.root import TemporaryLocalArtifactStorage
from dagster._core.storage.runs import InMemoryRunStorage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dagster import AssetKey, AssetRecordsFilter, EventLogEntry
    from dagster._core.storage.event_log.base import AssetRecord


class _NoEvents(InMemoryEventLogStorage):
    """Partitions, and no events."""

    def store_event(self, event: EventLogEntry) -> None:
        """Forget an event."""

    def get_asset_records(self, asset_keys: Sequence[AssetKey] | None = None) -> Sequence[AssetRecord]:
        """None, without a look: every step asks for those of each table that it reads."""
        return []

    def fetch_observations(
        self,
        records_filter: AssetKey | AssetRecordsFilter,
        limit: int,
        cursor: str | None = None,
        ascending: bool = False,
    ) -> EventRecordsResult:
        """None, as above."""
        return EventRecordsResult([], cursor or "", False)


def unrecorded_instance() -> DagsterInstance:
    """An instance without a record."""
    return DagsterInstance(
        instance_type=InstanceType.EPHEMERAL,
        local_artifact_storage=TemporaryLocalArtifactStorage(),  # type: ignore[no-untyped-call]
        run_storage=InMemoryRunStorage(),
        event_storage=_NoEvents(),
        compute_log_manager=NoOpComputeLogManager(),
        run_coordinator=DefaultRunCoordinator(),
        run_launcher=SyncInMemoryRunLauncher(),
    )
