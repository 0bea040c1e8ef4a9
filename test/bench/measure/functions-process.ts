import { readFileSync, writeFileSync } from 'node:fs';

/** The functions' process of a running engine: its child that serves them. */
export function functionsProcess(enginePid: number) {
  const children = readFileSync(`/proc/${enginePid}/task/${enginePid}/children`, 'utf8').trim().split(' ');
  const pid = children.find((child) => /serverless\.js/.test(readFileSync(`/proc/${child}/cmdline`, 'utf8')));
  if (!pid) throw new Error(`The engine ${enginePid} has no process that serves functions.`);
  return {
    /** Forgets the peak so far. Linux: 5 resets VmHWM. */
    resetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
    /** The most memory that it had since then, in bytes. */
    peakBytes(): number {
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) * 1024;
    },
  };
}
