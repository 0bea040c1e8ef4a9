// `npm run offline`: serverless offline. Plain JavaScript that any Node can read, so that a missing installation is said in
// one line.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const framework = join(root, 'node_modules/serverless/bin/serverless.js');

if (existsSync(framework)) {
  process.chdir(root);
  process.argv.splice(1, 1, framework, 'offline');
  await import(pathToFileURL(framework).href);
} else {
  console.error('Run `npm ci` first, with development packages.');
  process.exitCode = 1;
}
