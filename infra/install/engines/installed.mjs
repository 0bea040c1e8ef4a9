// The engines that others wrote and that tests run against: `npm run install:engines` installs them below the cache of this user, and
// `npm run doctor` names those that are missing. Plain JavaScript that any Node can read.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Each with its version, the services that it has, and what it needs. */
export const ENGINES = JSON.parse(readFileSync(new URL('catalog.json', import.meta.url), 'utf8'));

/** The folder of an engine, whether or not it is there. */
export const engineFolder = (name) =>
  join(homedir(), '.cache/sinete/engines', `${name}-${ENGINES[name].version}`);

/** Written last, with the command that starts the engine. */
export const markOf = (name) => join(engineFolder(name), 'engine.json');

export const isEngineInstalled = (name) => existsSync(markOf(name));
