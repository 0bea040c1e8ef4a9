// `npm start`. Plain JavaScript that any Node can read, so that a missing installation is said in one line.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The first Node that reads TypeScript by itself, which is how the engine is run. */
const NEEDED = [22, 18];

function giveUp(line) {
  console.error(line);
  process.exit(1);
}

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) giveUp('Run `npm ci` first.');
if (!isNewEnough())
  giveUp(`Use \`npm start\`: it brings its own Node. This one, ${process.version}, is too old.`);

// Half of a start is compiling code that has not changed since the last one.
nodeModule.enableCompileCache(join(root, 'node_modules/.cache/sinete/compiled'));

try {
  const { runEngine } = await import('./engine/run.ts');
  await runEngine(process.argv.slice(2), root);
} catch (error) {
  const isMissing = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("Cannot find package '");
  giveUp(isMissing ? `Run \`npm ci\` first. ${error.message.split(' imported from')[0]}.` : error.stack);
}
