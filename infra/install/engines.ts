import { install, NotHere } from './engines/install.ts';
import { ENGINES, isEngineInstalled } from './engines/installed.mjs';

// `npm run install:engines [-- NAME…]` installs the engines that the store tests run against. What a machine cannot have is named with
// the reason, and fails in CI only.
const names = process.argv.slice(2);
const unknown = names.filter((name) => !ENGINES[name]);
if (unknown.length > 0) {
  console.error(`There is no engine ${unknown.join(', ')}. There are ${Object.keys(ENGINES).join(', ')}.`);
  process.exit(1);
}

for (const name of names.length > 0 ? names : Object.keys(ENGINES)) {
  const label = `${name} ${ENGINES[name]?.version}`;
  if (isEngineInstalled(name)) {
    console.log(`${label} is installed.`);
    continue;
  }
  try {
    await install(name);
    console.log(`${label} installed.`);
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    console.log(`${label} skipped: ${error.message}`);
    if (process.env.CI) process.exitCode = 1;
  }
}
