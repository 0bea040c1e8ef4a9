import { mkdirSync, statSync } from 'node:fs';
import { CommandRefusal, reasonOf } from '../../shared/command-line/reason.ts';
import { lockFolder } from '../local/engine/folder-lock.ts';

/** Makes the data folder where there is none, and holds it: one host at a time, and not beside a local engine. */
export function lockData(data: string, port: number): Promise<{ release(): void }> {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandRefusal(`The data folder ${data} cannot be made: ${reasonOf(error)}.`);
  }
  return lockFolder(data, port);
}

/** A line with the command that mends it, for a data folder that others than its owner may enter. */
export function openToOthers(data: string): string | undefined {
  const mode = statSync(data).mode & 0o777;
  if ((mode & 0o077) === 0) return undefined;
  return `Others than its owner may read the data folder ${data} (mode ${mode.toString(8)}). Close it: chmod -R go= ${data}`;
}
