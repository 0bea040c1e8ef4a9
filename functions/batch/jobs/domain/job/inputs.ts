import { createHash } from 'node:crypto';
import type { Condition } from '../../../../../shared/store/item.ts';
import { keyedItems } from '../../../../../shared/store/keyed-items.ts';
import type { ItemWrite } from '../../../../../shared/store/write.ts';
import type { Job } from './job.ts';

// Every file of a folder that became a job is known, with its length and entity tag, until it is deleted, whatever
// becomes of the job. So it is taken once, however often a notification or a scan comes to it:
//
//   notification  |--report.pdf, tag a--|--job 1 + INPUT a--|
//   its repeat                              |--report.pdf, tag a--|--INPUT a is known: no job
//   job 1                                                            Failed: the file stays, and INPUT a
//   rewritten                                                                 |--report.pdf, tag b--|--job 2 + INPUT b--|
//
// The item of a deleted input stays for a while with the time of the deletion: a worker that saw the file before that
// time makes no job of it afterwards.
//
// The key of an upload has the id of its job. So it has an item only where that does not tell: from its first retry on,
// and when its job is deleted before it.

/** Where an input is. */
export type InputPlace = { readonly share: string | null; readonly key: string };

/** A file as a worker found it. */
export type SeenFile = {
  readonly length: number;
  readonly etag: string;
  /** The time before the store was asked. An upload is seen by nobody else, and needs none. */
  readonly seenAtMs?: number;
};

export type KnownInput = {
  /** The last job that was made of it. */
  readonly jobId: string;
  readonly length: number;
  readonly etag: string;
  /** When the signed or refused file was no longer there. */
  readonly goneAtMs?: number;
};

/** What must be true of an input for a job to be made of it. */
export type InputCondition =
  /** It is another file than the one that is known, or was seen after that one was gone. */
  | { readonly isNewAtMs: number }
  /** This job is still the last that was made of it. */
  | { readonly lastJobId: string };

/** A job was made of the input already. */
export class InputKnown extends Error {
  override readonly name = 'InputKnown';

  constructor({ key }: InputPlace) {
    super(`A job was made of the input ${key} already.`);
  }
}

type InputItem = KnownInput & {
  readonly seenAtMs?: number | undefined;
  readonly ttl?: number;
};

const inputs = keyedItems<InputItem, InputPlace>({
  service: 'batch',
  key: ({ share, key }) => ({
    pk: `INPUT#${createHash('sha256')
      .update(`${share ?? ''}:${key}`)
      .digest('base64url')}`,
    sk: 'INPUT',
  }),
});

/** The key under which an input is known. */
export const inputKeyOf = inputs.key;

/** The input of a job that has one. */
export const inputOf = ({ inputShare: share, inputKey: key }: Job): InputPlace | undefined =>
  key === null ? undefined : { share, key };

/** Whether the input of a job has an item, as long as the job is there. */
export const isInputRecorded = ({ folder, parentJobId }: Pick<Job, 'folder' | 'parentJobId'>): boolean =>
  folder !== null || parentJobId !== null;

const CLOCK_DIFFERENCE_MS = 2_000;

/** Records that an input has a job. Refused with InputKnown where the condition does not hold. */
export const recordingInput = (
  input: InputPlace,
  file: SeenFile,
  jobId: string,
  condition?: InputCondition,
): ItemWrite => {
  const { length, etag, seenAtMs } = file;
  const item = { jobId, length, etag, seenAtMs };
  if (condition === undefined) return inputs.putting(input, item);
  const when = 'lastJobId' in condition ? { jobId: condition.lastJobId } : isNew(file, condition.isNewAtMs);
  return inputs.putting(input, item, { when, refusal: () => new InputKnown(input) });
};

// A worker may stall after it saw a file, while others take the file to its end or its owner rewrites it:
//
//   worker 1  |--sees tag a---------------- stalls ---------------------------------|--job? no: INPUT b was seen later
//   worker 2        |--sees tag b--|--job + INPUT b--|--Completed, deleted--|
//
function isNew({ length, etag }: SeenFile, seenAtMs: number): Condition<InputItem> {
  const notSince = { anyOf: [undefined, { atMost: seenAtMs }] } as const;
  const isSeenLater = { seenAtMs: notSince, goneAtMs: notSince };
  // The same bytes again. Clocks of two workers differ by less than the difference of the two times.
  const isPutAgain = { goneAtMs: { below: seenAtMs - CLOCK_DIFFERENCE_MS } };
  return {
    anyOf: [
      'no item',
      isPutAgain,
      { length: { not: length }, ...isSeenLater },
      { etag: { not: etag }, ...isSeenLater },
    ],
  };
}

/**
 * Records that a job has staged its input as it is now: it was rewritten since it was found. Without this, what was
 * signed would be taken for a new file until it is deleted.
 */
export const recordingRewrite = (
  input: InputPlace,
  { length, etag, seenAtMs }: Required<SeenFile>,
  jobId: string,
): ItemWrite => inputs.patching(input, { length, etag, seenAtMs }, stillOf(input, jobId));

/** Refused with InputKnown when another job was made of the input meanwhile. */
const stillOf = (input: InputPlace, jobId: string) => ({
  when: { jobId },
  refusal: () => new InputKnown(input),
});

// Longer than any worker takes from seeing a file to its job.
const GONE_KEPT_SECONDS = 3_600;

/**
 * Records that the input of a job is no longer there: it was deleted, moved, or replaced by another file, which is new.
 * Refused with InputKnown when another job was made of it meanwhile. An upload is forgotten at once: nobody else knows
 * its key.
 */
export const recordingDeletion = ({ id: jobId, folder }: Job, input: InputPlace, nowMs: number): ItemWrite =>
  folder === null
    ? inputs.removing(input)
    : inputs.patching(
        input,
        { goneAtMs: nowMs, ttl: Math.floor(nowMs / 1_000) + GONE_KEPT_SECONDS },
        stillOf(input, jobId),
      );

/** Forgets an input whose last job this was. Refused with InputKnown when another job was made of it meanwhile. */
export const forgettingInput = (input: InputPlace, jobId: string): ItemWrite =>
  inputs.removing(input, {
    when: { anyOf: ['no item', { jobId }] },
    refusal: () => new InputKnown(input),
  });

/** What is known of these inputs, by key. */
export async function readInputs(
  share: string | null,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownInput>> {
  const found = await inputs.getMany(keys.map((key) => ({ share, key })));
  return new Map(keys.flatMap((key, n) => (found[n] ? [[key, found[n]]] : [])));
}
