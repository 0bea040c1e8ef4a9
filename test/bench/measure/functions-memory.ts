import { readFileSync, writeFileSync } from 'node:fs';

/** One for each process. */
type Peaks = readonly number[];

/** The memory of the processes of a running engine that run functions: for requests, and for messages and schedules. */
export function functionsMemory(enginePid: number) {
  const children = readFileSync(`/proc/${enginePid}/task/${enginePid}/children`, 'utf8').trim().split(' ');
  const runsFunctions = (pid: string) =>
    /(?:routes|events)-process\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  const pids = children.filter(runsFunctions);
  if (pids.length === 0) throw new Error(`The engine ${enginePid} has no process that runs functions.`);
  return {
    /** Forgets the peak so far. Linux: 5 resets VmHWM. */
    resetPeak(): void {
      for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, '5');
    },
    /** The most memory that each had since then, in bytes. */
    peaks: (): Peaks => pids.map(peakOf),
  };
}

/** Of the process that took most more: how much it had before and after. */
export function mostMore(before: Peaks, after: Peaks): { readonly before: number; readonly after: number } {
  const pairs = after.map((bytes, at) => ({ before: before[at] ?? 0, after: bytes }));
  return pairs.reduce((most, pair) => (pair.after - pair.before > most.after - most.before ? pair : most));
}

function peakOf(pid: string): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
