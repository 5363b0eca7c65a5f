"""A server in process for the tests that call it; files with needs of their own bring their own."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from tests.app.server_help import make_session


@pytest.fixture
def session(tmp_path):
    session = make_session(tmp_path)
    yield session
    session.close()


@pytest.fixture
def client(session):
    return TestClient(create_app(session))
