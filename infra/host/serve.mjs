// `npm run serve`. Plain JavaScript that any Node can read, so that a Node that is too old is said in one line.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The first Node with the SQLite that the embedded stores use. */
const NEEDED_MAJOR = 24;

function giveUp(line) {
  console.error(line);
  process.exit(1);
}

if (!existsSync(join(root, 'node_modules'))) giveUp('Run `npm ci --omit=dev` first.');
if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR)
  giveUp(
    `The host needs Node ${NEEDED_MAJOR} or newer, and this one is ${process.version}. Install it, or run \`npm ci\`, which brings one for \`npm run serve\`.`,
  );

// For the workers too. Where the folder cannot be written, nothing is kept.
const cache = join(root, 'node_modules/.cache/sinete/compiled');
process.env.NODE_COMPILE_CACHE ??= cache;
nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);

const { runHost } = await import('./host.ts');
await runHost(process.argv.slice(2), root);
