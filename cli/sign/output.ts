import { accessSync, constants, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileReason } from '../arguments/named-file.ts';

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

const unwritable = (out: string, error: unknown): Error =>
  new Error(`${out} cannot be written: ${fileReason(error)} Or name another file: --out FILE`, {
    cause: error,
  });

/** Writes the whole file or none: a failure leaves nothing behind. */
export async function writeWhole(
  out: string,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const draft = `${out}.${process.pid}.draft`;
  const handle = await open(draft, 'w').catch((error) => {
    throw unwritable(out, error);
  });
  try {
    await pipeline(content, handle.createWriteStream());
    renameSync(draft, out);
  } catch (error) {
    await handle.close();
    rmSync(draft, { force: true });
    throw error;
  }
}
