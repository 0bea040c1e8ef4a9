import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandRefusal } from '../../shared/command-line/reason.ts';

// What became of each file is kept in the directory, so that a command that was killed continues:
//
//   command 1  |--"uploading" is written--the object is in the folder-- kill -9
//   command 2                                                     |--its job or the object is found: no second upload
//
// A file that ended and left the directory is forgotten.

export const STATE_FILE = '.sinete-folder.json';

const Entry = z.object({
  /** The present name in the directory. */
  name: z.string(),
  /** The key in the folder's store. */
  key: z.string(),
  /** The path by which jobs name it. */
  path: z.string(),
  length: z.number(),
  mtimeMs: z.number(),
  ino: z.number(),
  sha256: z.string(),
  /**
   * uploading: it may be in the folder. waiting: it is, or was, in the folder. failed, signed: it ended, and stays in
   * the directory.
   */
  state: z.enum(['uploading', 'waiting', 'failed', 'signed']),
  /** Of the object in the folder. */
  etag: z.string().optional(),
  /** Of the object that a former version of the file left there. This one may replace it. */
  formerEtag: z.string().optional(),
  /** Jobs of its path up to this time are of other files. */
  after: z.string(),
  job: z.object({ id: z.string(), createdAt: z.string(), status: z.string() }).optional(),
  problem: z.string().optional(),
});
export type Entry = z.infer<typeof Entry>;

const State = z.object({
  /** The folder, and the service that it is of. */
  folder: z.string(),
  service: z.string(),
  /** Jobs up to this time have been seen. Empty where none need to be. */
  mark: z.string(),
  files: z.array(Entry),
});

export type FolderState = {
  mark: string;
  /** By the name in the directory. */
  readonly files: Map<string, Entry>;
  /** Writes the state as it is now. Calls that meet share a write. */
  save(): Promise<void>;
  /** Waits for the writes under way, so that a command that ends leaves no draft. */
  written(): Promise<void>;
};

/** Reads what a former command left in a directory. @example openState(dir, { folder: 'inbox', service: 'local' }) */
export function openState(
  dir: string,
  of: { readonly folder: string; readonly service: string },
): FolderState {
  const path = join(dir, STATE_FILE);
  const kept = read(path);
  if (kept && (kept.folder !== of.folder || kept.service !== of.service))
    throw new CommandRefusal(
      `${dir} is synchronized with the folder ${kept.folder} of ${kept.service}. Name another directory; or, when nothing of it is in work, remove ${path}`,
    );
  const state = { mark: kept?.mark ?? '', files: new Map(kept?.files.map((entry) => [entry.name, entry])) };
  const write = async (): Promise<void> => {
    const text = JSON.stringify({ ...of, mark: state.mark, files: [...state.files.values()] }, null, 1);
    const draft = await open(`${path}.draft`, 'w');
    try {
      await draft.writeFile(text);
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(`${path}.draft`, path);
  };
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return Object.assign(state, {
    save(): Promise<void> {
      // A write that has begun may lack this change; the one after it has it.
      next ??= writing
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          writing = write();
          return writing;
        });
      return next;
    },
    written: () => (next ?? writing).catch(() => undefined),
  });
}

function read(path: string): z.infer<typeof State> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return State.parse(JSON.parse(text));
  } catch (error) {
    throw new CommandRefusal(
      `${path} cannot be read. Remove it: files of which a job was made already will be refused, and stay.`,
      { cause: error },
    );
  }
}
