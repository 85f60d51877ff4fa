"""What assets return, as a type checker and Dagster (which knows only the bare class) each want it said."""

from typing import TYPE_CHECKING, TypeAlias

import dagster as dg

if TYPE_CHECKING:
    Result: TypeAlias = dg.MaterializeResult[None]
else:
    Result = dg.MaterializeResult
