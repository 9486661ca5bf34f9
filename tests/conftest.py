"""Settings and fixtures for all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

from addison import engines

settings.register_profile("addison", deadline=None, print_blob=True)
settings.load_profile("addison")


@pytest.fixture(scope="session", params=engines.names())
def engine(request):
    """Each engine in turn."""
    return engines.get(request.param)


@pytest.fixture(scope="session")
def root():
    """The folder of the repository."""
    return Path(__file__).parent.parent
