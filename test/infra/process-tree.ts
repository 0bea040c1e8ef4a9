import { type ChildProcess, execFileSync } from 'node:child_process';

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number | undefined): number[] {
  try {
    const listed = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
    return listed.trim().split('\n').map(Number);
  } catch {
    // It has none.
    return [];
  }
}

/**
 * Ends engines and hosts with their workers at once: their folders go with them, and an orderly stop writes what nobody
 * reads, for a second of each of their processes.
 */
export async function killTrees(processes: readonly ChildProcess[]): Promise<void> {
  for (const child of processes) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const closed = new Promise((done) => child.once('close', done));
    for (const pid of [...childrenOf(child.pid), child.pid]) if (pid !== undefined) kill(pid);
    await closed;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
