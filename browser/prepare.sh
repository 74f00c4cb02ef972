#!/bin/sh
# Sees to it that node and a chromium are there: installs them where that is allowed, or says what to install.
set -u

have() { command -v "$1" >/dev/null 2>&1; }
browser() { [ -n "${CHROMIUM:-}" ] || have chromium || have chromium-browser || have google-chrome; }
# Node 20 brings the test runner that is used here.
node_20() { have npm && have node && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ]; }

missing=""
node_20 || missing="$missing nodejs npm"
browser || missing="$missing chromium"
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ] && have apt-get; then
    echo "browser tests: installing$missing"
    # shellcheck disable=SC2086 # The list is split on purpose.
    { apt-get install -y -q --no-install-recommends $missing ||
        { apt-get update -q && apt-get install -y -q --no-install-recommends $missing; }; } >/dev/null 2>&1
fi
node_20 || { echo "browser tests: install Node 20 or later, with npm (https://nodejs.org), then run make again" >&2; exit 1; }
browser || { echo "browser tests: install chromium (Debian: apt-get install chromium), or set CHROMIUM to its path" >&2; exit 1; }
