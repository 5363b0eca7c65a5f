# Installs Kibitz for this user by uv, which brings Python along. One line, from a checkout:
#     powershell -ExecutionPolicy ByPass -File deploy\install.ps1
# or with a wheel:
#     powershell -ExecutionPolicy ByPass -File install.ps1 kibitz-0.2.0-py3-none-any.whl
param([string]$From = (Split-Path -Parent $PSScriptRoot))
$ErrorActionPreference = "Stop"

if (-not (Test-Path -PathType Leaf $From) -and -not (Test-Path "$From\pyproject.toml")) {
    Write-Error "install.ps1: expected a wheel or a checkout of Kibitz, got $From"
    exit 2
}
$env:Path = "$env:USERPROFILE\.local\bin;$env:Path"
if (-not (Get-Command uv -ErrorAction SilentlyContinue)) {
    Invoke-RestMethod https://astral.sh/uv/install.ps1 | Invoke-Expression
}
uv tool install --force --python ">=3.11" $From
Write-Output "Kibitz is installed. Start it with: kibitz serve --home --open"
