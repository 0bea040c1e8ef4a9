import { open, rename, rm } from 'node:fs/promises';

/** A file cannot be created where it should go. `cause` is the system's error. */
export class OutputUnwritable extends Error {
  override readonly name = 'OutputUnwritable';
}

/**
 * Writes the whole file or none: a failure leaves nothing behind. A file of this name is replaced. A process that is
 * killed leaves its draft. `check` sees the draft when it is complete, and refuses it by throwing.
 * @example await writeWhole('a.bin.p7m', signAttached(() => createReadStream('a.bin'), key, options));
 */
export async function writeWhole(
  file: string,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  check: (draft: string) => Promise<void> = async () => {},
): Promise<void> {
  const draft = `${file}.${process.pid}.draft`;
  const handle = await open(draft, 'w').catch((cause) => {
    throw new OutputUnwritable(`${file} cannot be written.`, { cause });
  });
  try {
    // A chunk is written before the next one is requested: see readChunks.
    await handle.writeFile(content);
    await handle.close();
    await check(draft);
    await rename(draft, file);
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
}
