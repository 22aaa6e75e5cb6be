"""What the engine's tests share: every kernel in turn."""

import pytest

from bmn import _engine

ALL_KERNELS = ("avx512", "avx2", "scalar", "plain")


@pytest.fixture(params=ALL_KERNELS)
def kernel(request):
    """Each kernel in turn; one that this CPU cannot run is skipped."""
    if request.param not in _engine.kernels():
        pytest.skip(f"this CPU cannot run the kernel {request.param}")
    return request.param
