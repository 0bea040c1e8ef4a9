import { createHash } from 'node:crypto';
import type { Put } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../../../../shared/settings/names.ts';
import { getBatch } from '../../../../../shared/store/collection.ts';
import { type Attributes, keyAttributes, toAttributes } from '../../../../../shared/store/item.ts';
import type { ItemWrite } from '../../../../../shared/store/write.ts';
import type { Job } from './job.ts';

// Every input that became a job is known, with its length and entity tag, until it is deleted, whatever becomes of the
// job. So a file in a folder is taken once, however often a notification or a scan comes to it:
//
//   notification  |--report.pdf, tag a--|--job 1 + INPUT a--|
//   its repeat                              |--report.pdf, tag a--|--INPUT a is known: no job
//   job 1                                                            Failed: the file stays, and INPUT a
//   rewritten                                                                 |--report.pdf, tag b--|--job 2 + INPUT b--|
//
// The item of a deleted input stays for a while with the time of the deletion: a worker that saw the file before that
// time makes no job of it afterwards.

/** Where an input is. */
export type InputPlace = { readonly share: string | null; readonly key: string };

/** An input as a worker found it. */
export type SeenInput = InputPlace & { readonly length: number; readonly etag: string };

export type KnownInput = {
  /** The last job that was made of it. */
  readonly jobId: string;
  readonly length: number;
  readonly etag: string;
  /** When it was deleted. */
  readonly goneAtMs?: number;
};

/** What must be true of an input for a job to be made of it. */
export type InputCondition =
  /** It is another file than the one that is known, or was seen after that one was deleted. */
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

const keyOf = ({ share, key }: InputPlace) => ({
  pk: `INPUT#${createHash('sha256')
    .update(`${share ?? ''}:${key}`)
    .digest('base64url')}`,
  sk: 'INPUT',
});

/** The input of a job that has one. */
export const inputOf = ({ inputShare: share, inputKey: key }: Job): InputPlace | undefined =>
  key === null ? undefined : { share, key };

// Clocks of two workers differ by less.
const CLOCK_DIFFERENCE_MS = 2_000;

/** Records that an input has a job. Refused with InputKnown where the condition does not hold. */
export function recordingInput(input: SeenInput, jobId: string, condition?: InputCondition): ItemWrite {
  const { length, etag } = input;
  const item = { ...keyOf(input), jobId, length, etag } satisfies KnownInput & object;
  return {
    item: {
      Put: { TableName: tableName('batch'), Item: toAttributes(item), ...expressionOf(input, condition) },
    },
    refusal: () => new InputKnown(input),
  };
}

function expressionOf(
  { length, etag }: SeenInput,
  condition: InputCondition | undefined,
): Partial<Pick<Put, 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>> {
  if (condition === undefined) return {};
  if ('lastJobId' in condition)
    return {
      ConditionExpression: 'jobId = :job',
      ExpressionAttributeValues: { ':job': { S: condition.lastJobId } },
    };
  return {
    ConditionExpression:
      'attribute_not_exists(pk) OR #length <> :length OR etag <> :etag OR goneAtMs < :seen',
    ExpressionAttributeNames: { '#length': 'length' },
    ExpressionAttributeValues: {
      ':length': { N: String(length) },
      ':etag': { S: etag },
      ':seen': { N: String(condition.isNewAtMs - CLOCK_DIFFERENCE_MS) },
    },
  };
}

// Longer than any worker takes from seeing a file to its job.
const GONE_KEPT_SECONDS = 3_600;

/**
 * Records that the input of a job was deleted. Refused with InputKnown when another job was made of it meanwhile: the
 * file was rewritten. An upload is forgotten at once: nobody else knows its key.
 */
export const recordingDeletion = (
  { id: jobId, folder }: Job,
  input: InputPlace,
  nowMs: number,
): ItemWrite => {
  const target = { TableName: tableName('batch'), Key: keyAttributes(keyOf(input)) };
  if (folder === null) return { item: { Delete: target } };
  return {
    item: {
      Update: {
        ...target,
        UpdateExpression: 'SET goneAtMs = :now, #ttl = :ttl',
        ConditionExpression: 'jobId = :job',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':now': { N: String(nowMs) },
          ':ttl': { N: String(Math.floor(nowMs / 1_000) + GONE_KEPT_SECONDS) },
          ':job': { S: jobId },
        },
      },
    },
    refusal: () => new InputKnown(input),
  };
};

/** What is known of these inputs, by key. */
export async function readInputs(
  share: string | null,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownInput>> {
  const byPk = new Map(keys.map((key) => [keyOf({ share, key }).pk, key]));
  const found = await getBatch(
    tableName('batch'),
    keys.map((key) => keyOf({ share, key })),
  );
  return new Map(found.map((item) => [byPk.get(item.pk?.S ?? '') ?? '', knownInputOf(item)]));
}

const knownInputOf = ({ jobId, length, etag, goneAtMs }: Attributes): KnownInput => ({
  jobId: jobId?.S ?? '',
  length: Number(length?.N),
  etag: etag?.S ?? '',
  ...(goneAtMs?.N !== undefined && { goneAtMs: Number(goneAtMs.N) }),
});
