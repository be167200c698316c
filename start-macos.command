#!/bin/sh
# A double click starts Tengen in the browser, on macOS and, from a terminal, on Linux. The first time it is installed
# into the folder .venv beside this file.
cd "$(dirname "$0")" || exit 1

case "${TENGEN_LANG:-$(defaults read -g AppleLocale 2>/dev/null || echo "$LANG")}" in
zh*) missing="Tengen 需要 Python 3.11 或更新版本：https://www.python.org/downloads/"
    installing="正在把 Tengen 安装到 .venv，只需一次，大约几分钟，主要是下载。"
    failed="安装没有成功，原因见上。可以再试一次。" ;;
*) missing="Tengen needs Python 3.11 or newer: https://www.python.org/downloads/"
    installing="Installing Tengen into .venv, once: a few minutes, mostly downloads."
    failed="It could not be installed, for the reason above. You may try again." ;;
esac

found=
for python in python3.14 python3.13 python3.12 python3.11 python3 python; do
    if "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        found=$python
        break
    fi
done

# The same mark as that of make: an installation is renewed where its needs have changed.
if [ -z "$(find .venv/.installed -newer pyproject.toml 2>/dev/null)" ]; then
    if [ -z "$found" ]; then
        echo "$missing"
        exit 1
    fi
    echo "$installing"
    { [ -x .venv/bin/python ] || "$found" -m venv .venv; } &&
        .venv/bin/python -m pip install --disable-pip-version-check --editable . &&
        touch .venv/.installed || {
        echo "$failed"
        exit 1
    }
fi
exec .venv/bin/tengen "$@"
