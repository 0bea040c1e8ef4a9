import { readdirSync, readFileSync } from 'node:fs';

// Linux counts in hundredths of a second here.
const TICK_MS = 10;
// Of proc_pid_stat(5), counted from the state, which follows the name: utime, stime, and both of children that ended.
const FIRST_TIME = 11;
const TIMES = 4;

/** Starts to measure the CPU time of an engine, in milliseconds: of all its processes. */
export function startEngineCpuClock(enginePid: number): () => number {
  const from = cpuMs(String(enginePid));
  return () => cpuMs(String(enginePid)) - from;
}

function cpuMs(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(FIRST_TIME, FIRST_TIME + TIMES).reduce((sum, field) => sum + Number(field), 0);
  return childrenOf(pid).reduce((sum, child) => sum + cpuMs(child), ticks * TICK_MS);
}

const childrenOf = (pid: string): string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').match(/\d+/g) ?? [],
  );
