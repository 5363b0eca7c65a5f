#!/bin/sh
# Installs Kibitz for this user by uv, which brings Python along. One line, from a checkout:
#     sh deploy/install.sh
# or with a wheel:
#     sh install.sh kibitz-0.2.0-py3-none-any.whl
set -eu

from=${1:-$(cd "$(dirname "$0")/.." && pwd)}
if [ ! -f "$from" ] && [ ! -f "$from/pyproject.toml" ]; then
  echo "install.sh: expected a wheel or a checkout of Kibitz, got $from" >&2
  exit 2
fi
found=$PATH
PATH="$HOME/.local/bin:$PATH"
if ! command -v uv >/dev/null; then
  curl -LsSf https://astral.sh/uv/install.sh | sh
fi
uv tool install --force --python ">=3.11" "$from"
folder=$(uv tool dir --bin)
case ":$found:" in
  *":$folder:"*) kibitz=kibitz ;;
  *)
    kibitz=$folder/kibitz
    PATH=$found "$(command -v uv)" tool update-shell || true # from the next terminal on the name is enough
    ;;
esac
echo "Kibitz is installed. Start it with: $kibitz serve --home --open"
