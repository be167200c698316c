@echo off
rem A double click starts Tengen in the browser. The first time it is installed into the folder .venv beside this file.
setlocal
chcp 65001 >nul
cd /d "%~dp0"

if exist ".venv\Scripts\tengen.exe" goto start

set "PYTHON="
for %%P in ("py -3" "python" "python3") do if not defined PYTHON (
    %%~P -c "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))" >nul 2>nul && set "PYTHON=%%~P"
)
if not defined PYTHON (
    echo Tengen needs Python 3.11 or newer: https://www.python.org/downloads/windows/
    echo Tengen 需要 Python 3.11 或更新版本。
    goto failed
)

echo Installing Tengen into .venv, once: a few minutes, mostly downloads.
echo 正在把 Tengen 安装到 .venv，只需一次，大约几分钟，主要是下载。
%PYTHON% -m venv .venv || goto failed
.venv\Scripts\python.exe -m pip install --disable-pip-version-check --editable . || goto failed

:start
.venv\Scripts\tengen.exe %*
if errorlevel 1 goto failed
exit /b 0

:failed
pause
exit /b 1
