import { execFileSync } from 'node:child_process';
import { isAlive } from '../../../shared/command-line/is-alive.ts';

/** How often to look whether npm is still there. */
const LOOK_EVERY_MS = 1000;

/**
 * Calls back once when npm, which started this process, is gone. Ended by a supervisor or by kill -9, npm takes nobody
 * along: the engine would go on, known to nobody, and hold the port. Does nothing where npm did not start it.
 */
export function whenNpmEnds(end: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const npm = parentOfShell(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isAlive(npm))) return;
    clearInterval(timer);
    end();
  }, LOOK_EVERY_MS);
  timer.unref();
}

// Where the script's shell does not put the script in its own place, it stands between npm and us, and outlives npm:
//
//   npm -- sh -c "node infra/local/start.mjs" -- node
//
// Undefined where there is no such shell, or no ps to find it with.
function parentOfShell(pid: number): number | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, parent, args = ''] = /^\s*(\d+)\s+(.*)$/m.exec(line) ?? [];
    return parent && / -c .*start\.mjs/.test(args) ? Number(parent) : undefined;
  } catch {
    return undefined;
  }
}
