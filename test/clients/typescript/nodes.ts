import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

const onPath = (process.env.PATH ?? '').split(':').map((path) => join(path, 'node'));
/** The Node that the project brings, and those of the machine. CI has one of each supported version. */
export const NODES = [
  ...new Set(
    [process.execPath, ...onPath.filter((path) => existsSync(path))].map((path) => realpathSync(path)),
  ),
];
