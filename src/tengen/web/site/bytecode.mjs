/**
 * Compile Python for the browser: `node bytecode.mjs PYODIDE SOURCES TARGET`.
 *
 * PYODIDE is its folder; SOURCES and TARGET are archives by tar. The modules of TARGET are compiled, without docstrings, and
 * need no sources; all other files are as they were. Written to standard output: the modules and packages of the standard
 * library that Python imports at its start, as JSON.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, sources, target] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
// Without the columns of every instruction, modules have a third less to load. Lines stay.
const python = await loadPyodide({ indexURL: `${folder}/`, env: { PYTHONNODEBUGRANGES: "1" } });
const started = python.runPython(`
import json, sys
json.dumps(sorted({name.partition(".")[0] for name in sys.modules}))
`);
console.log(started);
python.FS.writeFile("/sources.tar", new Uint8Array(readFileSync(sources)));
python.runPython(`
import io
import tarfile
from importlib._bootstrap_external import _code_to_hash_pyc

with tarfile.open("/sources.tar") as sources, tarfile.open("/target.tar", "w") as target:
    for entry in sources:
        name, data = entry.name, sources.extractfile(entry).read()
        if name.endswith(".py"):
            try:
                code = compile(data, name, "exec", dont_inherit=True, optimize=2)
            except SyntaxError:  # a template, or written for another version
                pass
            else:
                name += "c"
                data = bytes(_code_to_hash_pyc(code, bytes(8), False))
        made = tarfile.TarInfo(name)
        made.size = len(data)
        target.addfile(made, io.BytesIO(data))
`);
writeFileSync(target, python.FS.readFile("/target.tar"));
