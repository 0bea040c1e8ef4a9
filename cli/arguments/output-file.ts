import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileReason } from './named-file.ts';

/** Refuses to overwrite a file without --force. The original is never overwritten. */
export function checkOutput(out: string, { input, force }: { input: string; force: boolean }): void {
  if (out === input) throw new Error(`${out} is the original. Name another file: --out FILE`);
  if (!existsSync(dirname(out)))
    throw new Error(
      `There is no folder ${dirname(out)} to write to. Make it, or name another file: --out FILE`,
    );
  if (existsSync(out)) {
    if (statSync(out).isDirectory()) throw new Error(`${out} is a folder. Name a file in it: --out FILE`);
    if (!force)
      throw new Error(`${out} is there already. Name another file with --out FILE, or add --force.`);
  }
  try {
    accessSync(dirname(out), constants.W_OK);
  } catch (error) {
    throw unwritable(out, error);
  }
}

/** An error that says what to do, for an output that cannot be written. */
export const unwritable = (out: string, error: unknown): Error =>
  new Error(`${out} cannot be written: ${fileReason(error)} Or name another file: --out FILE`, {
    cause: error,
  });
