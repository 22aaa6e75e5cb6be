"""The engine's tests pass under the address and the undefined sanitizer."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_engine_is_clean_under_the_sanitizers():
    script = Path(__file__).with_name("sanitize.py")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
