"""Makes an OCI archive with one static binary and nothing else: image.py BINARY ARCHIVE VERSION

Equal input gives equal bytes: the time in it is SOURCE_DATE_EPOCH.
"""

import datetime
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile

binary, archive, version = sys.argv[1:]
epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
USER = 65532


def member(name, data=None, mode=0o644, owner=0):
    info = tarfile.TarInfo(name)
    info.mtime, info.mode, info.uid, info.gid = epoch, mode, owner, owner
    if data is None:
        info.type = tarfile.DIRTYPE
    else:
        info.size = len(data)
    return info, io.BytesIO(data or b"")


def tar(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as made:
        for info, data in members:
            made.addfile(info, data if info.isfile() else None)
    return out.getvalue()


blobs = {}


def blob(data, kind):
    digest = hashlib.sha256(data).hexdigest()
    blobs[digest] = data
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(data)}


with open(binary, "rb") as file:
    program = file.read()
layer = tar([
    member("ferz", program, 0o755),
    member("data", mode=0o700, owner=USER),
    member("tmp", mode=0o1777),
])
packed = gzip.compress(layer, 9, mtime=0)
config = {
    "created": created,
    "architecture": "arm64" if binary.endswith("aarch64") else "amd64",
    "os": "linux",
    "config": {
        "User": f"{USER}:{USER}",
        "ExposedPorts": {"8080/tcp": {}},
        "Entrypoint": ["/ferz"],
        "Cmd": ["serve", "--db", "/data/archive.ferz", "--listen", "0.0.0.0:8080"],
        "Volumes": {"/data": {}},
        "WorkingDir": "/data",
        "Labels": {"org.opencontainers.image.title": "ferz", "org.opencontainers.image.version": version},
    },
    "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
    "history": [{"created": created, "created_by": "packaging/image.py"}],
}
OCI = "application/vnd.oci.image"


def line(value):
    return json.dumps(value, sort_keys=True).encode()


manifest = blob(line({
    "schemaVersion": 2,
    "mediaType": f"{OCI}.manifest.v1+json",
    "config": blob(line(config), f"{OCI}.config.v1+json"),
    "layers": [blob(packed, f"{OCI}.layer.v1.tar+gzip")],
}), f"{OCI}.manifest.v1+json")
manifest["annotations"] = {"org.opencontainers.image.ref.name": version}
index = {"schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json", "manifests": [manifest]}
files = [
    member("oci-layout", line({"imageLayoutVersion": "1.0.0"})),
    member("index.json", line(index)),
    member("blobs", mode=0o755),
    member("blobs/sha256", mode=0o755),
]
files += [member(f"blobs/sha256/{digest}", data) for digest, data in sorted(blobs.items())]
with open(archive, "wb") as out:
    out.write(tar(files))
print(f"{archive}: {os.path.getsize(archive)} bytes")
