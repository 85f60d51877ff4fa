"""How much the tests search: quickly and always the same, or thoroughly (YUANZI_THOROUGH=1) and each time anew."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile(
    "quick", max_examples=25, deadline=None, derandomize=True, suppress_health_check=_SLOW_IS_FINE
)
settings.register_profile("thorough", max_examples=1000, deadline=None, suppress_health_check=_SLOW_IS_FINE)
settings.load_profile("thorough" if os.environ.get("YUANZI_THOROUGH") else "quick")
