"""Prints the packages inside the program, with their licences, as SPDX 2.3: spdx.py ROOT VERSION"""

import datetime
import json
import os
import subprocess
import sys

root, version = sys.argv[1:]
epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
metadata = json.loads(subprocess.run(
    ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", "x86_64-unknown-linux-musl"],
    cwd=root, check=True, capture_output=True).stdout)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
program = next(id for id, package in packages.items() if package["name"] == "ferz-cli")


def inside(start):
    """What the program is made of: its normal dependencies, not those of builds and tests."""
    found, open_ = set(), [start]
    while open_:
        now = open_.pop()
        if now in found:
            continue
        found.add(now)
        for dependency in nodes[now]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                open_.append(dependency["pkg"])
    return sorted(found, key=lambda id: (packages[id]["name"], packages[id]["version"]))


def name(id):
    return f"SPDXRef-{packages[id]['name']}-{packages[id]['version']}".replace("_", "-").replace("+", "-")


def described(id):
    package = packages[id]
    licence = (package["license"] or "NOASSERTION").replace("/", " OR ")
    at = package["source"] and f"pkg:cargo/{package['name']}@{package['version']}"
    entry = {
        "SPDXID": name(id), "name": package["name"], "versionInfo": package["version"],
        "licenseDeclared": licence, "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
    }
    if at:
        entry["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": at}]
    return entry


everything = inside(program)
print(json.dumps({
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"ferz-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/ferz-{version}-{epoch}",
    "creationInfo": {"created": created, "creators": ["Tool: packaging/spdx.py"]},
    "packages": [described(id) for id in everything],
    "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                       "relatedSpdxElement": name(program)}]
    + [{"spdxElementId": name(program), "relationshipType": "CONTAINS", "relatedSpdxElement": name(id)}
       for id in everything if id != program],
}, indent=1))
