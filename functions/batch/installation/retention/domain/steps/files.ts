import { forEachConcurrently } from '../../../../../../shared/async/for-each-concurrently.ts';
import type { Files } from '../../../../../../shared/files/files.ts';
import type { ListedFile, ListPage } from '../../../../../../shared/files/get.ts';
import { logger } from '../../../../../../shared/log/logger.ts';
import { commit, isRefused } from '../../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../../shared/store/write.ts';
import { InputKnown } from '../../../../jobs/domain/job/inputs.ts';
import { OutputTaken } from '../../../../jobs/domain/job/names.ts';
import { type Counts, type PendingFile, type Run, TakenOver } from '../run-record.ts';

/** Old files of one folder, which a step deletes. */
export type FileStep = {
  readonly store: () => Promise<Files>;
  readonly folder: string;
  /** Younger files stay. 0: all stay. */
  readonly days: () => number;
  readonly count: keyof Counts;
  /** Those of the old files that may go. */
  readonly choose: (old: readonly ListedFile[], run: Run) => Promise<readonly PendingFile[]>;
  /** The write that forgets a file which is gone. */
  readonly forgetting?: (file: PendingFile) => Write[];
};

const log = logger('batch').with({ task: 'clean-up' });

// With the record of the run, a commit has a write for each of them.
const FILES_PER_COMMIT = 90;

const LOOKS_AT_ONCE = 16;

/** Deletes the old files of a folder. Answers whether it came to the end. */
export async function deleteFiles(step: FileStep, run: Run): Promise<boolean> {
  const beforeMs = run.dueBefore(step.days());
  if (beforeMs === undefined && run.place().pending.length === 0) return true;
  const pages = listing(step, run.place().cursor ?? undefined);
  try {
    if (run.place().pending.length > 0) await deletePending(step, run, { isRepeat: true });
    for await (const { page, cursor } of pages) {
      const old = page.files.filter(
        // A key that ends with a slash is a folder, as consoles make them.
        ({ key, modifiedAtMs }) => modifiedAtMs < (beforeMs ?? 0) && !key.endsWith('/'),
      );
      const chosen = old.length > 0 ? await step.choose(old, run) : [];
      for (let from = 0; from <= chosen.length; from += FILES_PER_COMMIT) {
        if (!run.hasTime()) {
          await run.save({ cursor });
          return false;
        }
        const pending = chosen.slice(from, from + FILES_PER_COMMIT);
        if (pending.length === 0) break;
        await run.save({ cursor, pending });
        await deletePending(step, run);
      }
    }
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error;
    log.error('Retention cannot list the files of a folder.', { folder: step.folder, error: error.cause });
    await run.save({ add: { errors: 1 } });
  }
  return true;
}

/** The store of the files does not answer. The other steps go on. */
class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
}

const ofStore = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => Promise.reject(new StoreFailed('The store failed.', { cause })));

type Listed = { readonly page: ListPage; readonly cursor: string | null };

/** The pages of a folder, each with the cursor that it begins at. */
async function* listing({ store, folder }: FileStep, start: string | undefined): AsyncGenerator<Listed> {
  const files = await ofStore(store());
  let cursor = start;
  do {
    const page = await ofStore(files.list(folder, { cursor }));
    yield { page, cursor: cursor ?? null };
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** Deletes the pending files, and counts and forgets those that are gone. */
async function deletePending(
  step: FileStep,
  run: Run,
  { isRepeat = false }: { readonly isRepeat?: boolean } = {},
): Promise<void> {
  const { pending } = run.place();
  const files = await ofStore(step.store());
  const replaced = isRepeat ? await ofStore(findReplaced(files, pending)) : new Set<string>();
  const { removed, failed } = await files.removeMany(pending.filter(({ key }) => !replaced.has(key)));
  for (const [file, error] of failed) log.warn('Retention could not delete a file.', { file, error });
  const names = new Set([...removed, ...replaced]);
  const gone = pending.filter(({ key }) => names.has(key));
  const add = { [step.count]: gone.length, errors: failed.size };
  const forgetting = gone.flatMap((file) => step.forgetting?.(file) ?? []);
  try {
    await run.save({ pending: [], add }, forgetting);
  } catch (error) {
    if (error instanceof TakenOver || !isStale(error)) throw error;
    // A name has another holder by now, and stays with it.
    for (const write of forgetting) await unlessStale(commit([write]));
    await run.save({ pending: [], add });
  }
}

/** Files that a killed process has deleted, and that others have been written in the place of. These stay. */
async function findReplaced(files: Files, pending: readonly PendingFile[]): Promise<ReadonlySet<string>> {
  const replaced = new Set<string>();
  await forEachConcurrently(LOOKS_AT_ONCE, pending, async ({ key, etag }) => {
    const found = await files.head(key);
    if (found && found.etag !== etag) replaced.add(key);
  });
  return replaced;
}

const isStale = (error: unknown): boolean =>
  isRefused(error) || error instanceof OutputTaken || error instanceof InputKnown;

const unlessStale = (done: Promise<void>): Promise<void> =>
  done.catch((error: unknown) => {
    if (!isStale(error)) throw error;
  });
