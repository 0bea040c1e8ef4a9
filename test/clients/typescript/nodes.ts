import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

const onPath = (process.env.PATH ?? '').split(':').map((path) => join(path, 'node'));
/** The Node that the project brings, and those of the machine. CI has one of each supported version. */
export const NODES = [
  ...new Set(
    [process.execPath, ...onPath.filter((path) => existsSync(path))].map((path) => realpathSync(path)),
  ),
];

const SUPPORTED = [20, 22, 24];
if (process.env.CI) {
  const majors = NODES.map((node) => Number(execFileSync(node, ['-p', 'parseInt(process.versions.node)'])));
  const missing = SUPPORTED.filter((major) => !majors.includes(major));
  if (missing.length > 0)
    throw new Error(`CI tries the client in Node ${missing.join(' and ')}, which is not on PATH.`);
}
