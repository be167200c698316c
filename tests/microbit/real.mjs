// Runs a module of the tests on MicroPython: node real.mjs REPOSITORY MODULE FILE...
// The files are copied into its file system, under the same paths.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , repository, module, ...files] = process.argv;
const port = join(repository, "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs");
const { loadMicroPython } = await import(pathToFileURL(port).href);
const python = await loadMicroPython({ stdout: (line) => console.log(line), linebuffer: true });
for (const file of files) {
    const parts = file.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
        const folder = "/repository/" + parts.slice(0, depth).join("/");
        if (!python.FS.analyzePath(folder).exists) python.FS.mkdirTree(folder);
    }
    python.FS.writeFile("/repository/" + file, readFileSync(join(repository, file)));
}
python.runPython(`import sys; sys.path.insert(0, "/repository"); import ${module}`);
