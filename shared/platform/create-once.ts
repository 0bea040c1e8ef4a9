import { setTimeout as pause } from 'node:timers/promises';
import { type Deadline, leftMs } from '../async/deadline.ts';
import type { PlatformClient } from './client.ts';
import type { CreateDocumentRequest } from './documents.ts';
import { PlatformRefused, PlatformUnreachable } from './errors.ts';
import type { TagSearch } from './search.ts';
import type { Upload } from './uploads.ts';

// A document is handed to the platform once, whatever is lost on the way:
//
//   caller    |--upload--records that it begins--create: no answer--|--search the tag: found--|--records the id--|
//   platform                                         |--document with the tag--|
//
// The caller makes the record, before this is called, and is killed after it at any point: the next run searches the tag.
// A platform that creates the document after the search, from a request that it was long done with, is not covered.

type Search = TagSearch & {
  /** Leaves out documents that are known, and came to nothing. */
  readonly unknownOf?: (documentIds: readonly string[]) => Promise<readonly string[]>;
};

/**
 * The documents of a tag in whatever state, where ids were lost: those that are pending, or else those that have ended.
 * @example const [documentId] = await findCreated(platform, { tag, text: fileName, begunAtMs }, deadline);
 */
export async function findCreated(
  platform: Pick<PlatformClient, 'findByTag' | 'findEnded'>,
  { unknownOf = async (ids) => ids, ...search }: Search,
  deadline: Deadline,
): Promise<readonly string[]> {
  const pending = await unknownOf(await platform.findByTag(search, deadline));
  return pending.length > 0 ? pending : unknownOf(await platform.findEnded(search, deadline));
}

export type Creation = {
  readonly document: Omit<CreateDocumentRequest, 'upload' | 'tag'>;
  /** The tag of the document, and how it is found by it. */
  readonly search: Search;
  /** Creates it of the file in one call. Undefined where that created nothing: then it is uploaded first. */
  readonly createDirectly?: () => Promise<string | undefined>;
  /** Uploads the file, where there is no upload yet or the platform no longer has it. */
  readonly upload: () => Promise<Upload>;
  /** The upload of this run, or of an earlier one. */
  readonly uploaded?: Upload | undefined;
  /** Whether an earlier run may have created it, of the same upload: the platform refuses to create a second one. */
  readonly isRepetition?: boolean;
  /** Another document that serves as well. */
  readonly findOther?: () => Promise<string | undefined>;
  /** Each after the first begins with a search. One by default: the next run does the rest. */
  readonly maxAttempts?: number;
  /** Searches after the last attempt too, where there is no next run. */
  readonly searchesLast?: boolean;
};

// After an attempt that was not answered. One that was answered 429 names its own pause.
const PAUSES_MS = [500, 2_000];

/**
 * The id of the document: of one that exists already, or of a new one. Throws the platform's errors.
 * @example const id = await createOnce(platform, { document, search: { tag, text }, upload }, deadline);
 */
export async function createOnce(
  platform: PlatformClient,
  { document, search, upload, maxAttempts = 1, ...creation }: Creation,
  deadline: Deadline,
): Promise<string> {
  let { uploaded } = creation;
  const find = async () => (await findCreated(platform, search, deadline))[0];
  const create = (from: Upload) =>
    platform.createDocument({ ...document, tag: search.tag, upload: from }, deadline);
  for (let attempt = 1; ; attempt++) {
    try {
      const found =
        (attempt > 1 ? await find() : undefined) ??
        (await creation.findOther?.()) ??
        (await creation.createDirectly?.());
      if (found !== undefined) return found;
      uploaded ??= await upload();
      return await create(uploaded);
    } catch (error) {
      if (error instanceof PlatformRefused && creation.isRepetition)
        return (await find()) ?? create(await upload());
      if (!(error instanceof PlatformUnreachable)) throw error;
      const pauseMs = error.retryAfterMs ?? PAUSES_MS[attempt - 1] ?? 0;
      if (attempt < maxAttempts && pauseMs < leftMs(deadline)) {
        await pause(pauseMs);
        continue;
      }
      const found = creation.searchesLast ? await find().catch(() => undefined) : undefined;
      if (found === undefined) throw error;
      return found;
    }
  }
}
