#!/bin/sh
# Makes a fresh Raspberry Pi OS (64 bit) a Kibitz that starts with the machine. As root, once:
#     sh first-boot.sh kibitz-0.2.0-py3-none-any.whl
# cloud-init and the Imager can call it at the first boot, with this folder on the boot partition.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
wheel=${1:-$(ls "$here"/kibitz-*.whl | tail -n 1)}
[ -f "$wheel" ] || { echo "first-boot.sh: expected the wheel of Kibitz, got '$wheel'" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "first-boot.sh: expected to be called as root (sudo)" >&2; exit 2; }

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends python3-venv v4l-utils >/dev/null
python3 -m venv /opt/kibitz
/opt/kibitz/bin/pip install --quiet "$wheel[mqtt,heic]"
install -m 644 "$here/kibitz.service" /etc/systemd/system/kibitz.service
mkdir -p /etc/systemd/system/kibitz.service.d
cat >/etc/systemd/system/kibitz.service.d/home.conf <<'UNIT'
[Service]
ExecStart=
ExecStart=/opt/kibitz/bin/kibitz serve --home
UNIT
systemctl daemon-reload
systemctl enable --now kibitz
echo "Kibitz runs; its link: journalctl -u kibitz | grep key="
