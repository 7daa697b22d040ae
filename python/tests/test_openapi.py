"""Tests the description of the HTTP API on the real server: it is valid, and a client generated from it works."""

from __future__ import annotations

import importlib
import json
import ssl
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from stoa._address import DataFolderLocator

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Server

pytestmark = pytest.mark.realm
NAME, PASSWORD = "ada", "correct horse"  # the account of these tests
PACKAGE = "generated_stoa_client"
# The generator needs to be told which types are bytes.
FILE_TYPES = ["application/x-ndjson", "application/x-x509-ca-cert", "image/svg+xml", "image/*", "*/*"]
VALIDATOR = [sys.executable, "-m", "openapi_spec_validator"]
GENERATOR = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]


def described(server: Server) -> tuple[str, ssl.SSLContext, dict[str, Any]]:
    address, _ = DataFolderLocator(server.folder).find()
    context = ssl.create_default_context(cafile=str(address.ca_file))
    answer = httpx.get(f"{address.url}/api/v1/openapi.json", verify=context)
    return address.url, context, answer.raise_for_status().json()


def validates(document: dict[str, Any], file: Path) -> bool:
    file.write_text(json.dumps(document), "utf-8")
    return subprocess.run([*VALIDATOR, file], check=False).returncode == 0  # noqa: S603  # the validator


def test_the_openapi_document_is_valid(server: Server, tmp_path: Path) -> None:
    _, _, document = described(server)
    assert document["openapi"].startswith("3.1")
    assert validates(document, tmp_path / "openapi.json")
    del document["paths"]["/api/v1/me"]["get"]["responses"]["200"]["description"]
    assert not validates(document, tmp_path / "openapi.json"), "negative control"


def test_a_generated_client_signs_in_and_reads_scenes(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, context, document = described(server)
    add = [server.binary, "user", "add", NAME, "--data", server.folder]
    subprocess.run(add, input=f"{PASSWORD}\n", text=True, check=True)  # noqa: S603  # the binary under test
    (tmp_path / "openapi.json").write_text(json.dumps(document), "utf-8")
    # No formatters run on the generated code.
    config: dict[str, object] = {"post_hooks": [], "content_type_overrides": dict.fromkeys(FILE_TYPES, "application/octet-stream")}
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    files = ["--path", tmp_path / "openapi.json", "--config", tmp_path / "config.json", "--output-path", tmp_path / PACKAGE]
    subprocess.run([*GENERATOR, *files], check=True)  # noqa: S603  # the generator
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    def module(name: str) -> Any:  # noqa: ANN401  # generated, so without types here
        return importlib.import_module(f"{PACKAGE}.{name}")

    client = module("client").Client(base_url=url, verify_ssl=context)
    with client:
        scenes = module("api.scenes.list_scenes").sync(client=client)
        assert "lobby" in [scene.scene for scene in scenes]
        wanted = module("models.sign_in_request").SignInRequest(username=NAME, password=PASSWORD)
        assert module("api.accounts.sign_in").sync(client=client, body=wanted).username == NAME
        assert module("api.accounts.get_caller").sync(client=client).username == NAME
        settings = module("api.scenes.get_scene_settings").sync("public", "lobby", client=client)
        assert settings.public_read is True
        problem = module("api.scenes.delete_scene").sync("public", "lobby", client=client)
        assert problem.status == httpx.codes.FORBIDDEN
