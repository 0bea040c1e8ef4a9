import { AsyncLocalStorage } from 'node:async_hooks';
import { openStored, plainOf, sealStored } from '../keyring/stored.ts';
import type { ServiceName } from '../settings/names.ts';
import { collection } from './collection.ts';
import { AlreadyExists } from './refusals.ts';
import type { ItemWrite } from './write.ts';

// A request that creates may be sent again with the same Idempotency-Key:
//
//   first   |--looks: nothing kept--|-- what it creates + its answer: one commit --x  the answer is lost
//   again                                                                            |--looks: kept--|  the same answer
//
// No state says "under way". Of two at once one commits; the other is refused by what the first has kept, and answers it.

/** The answer of a request that was carried out, for those who send it again. */
type KeptAnswer = {
  readonly id: string;
  /** Of the request: a key is for one request. */
  readonly fingerprint: string;
  /** As JSON. An answer may hold what completes a signature, so a stolen table must not tell it. */
  readonly sealedValue: string;
  readonly keptAtMs: number;
};

const KEPT_SECONDS = 86_400;

const keptAnswers = (service: ServiceName) =>
  collection<KeptAnswer, string>({
    service,
    name: 'kept answer',
    id: ({ id }) => id,
    key: (id) => ({ pk: `ANSWER#${id}`, sk: 'ANSWER' }),
    indexed: ({ keptAtMs }) => ({ ttl: Math.ceil(keptAtMs / 1000) + KEPT_SECONDS }),
  });

/** A request that may be sent again, as a record of its work names it. */
export type Repeatable = Pick<KeptAnswer, 'id' | 'fingerprint'>;

const underWay = new AsyncLocalStorage<Repeatable & { readonly service: ServiceName }>();

/** An answer that is kept, and the fingerprint of its request. */
type Kept = { readonly fingerprint: string; readonly value: unknown };

/**
 * Runs what a request asks for, so that the commit in it can keep the answer; or replays the answer that is kept.
 * @example const { id } = await runOnce('documents', request, create, ({ value }) => value as Created);
 */
export async function runOnce<T>(
  service: ServiceName,
  request: Repeatable,
  run: () => Promise<T>,
  replay: (kept: Kept) => T,
): Promise<T> {
  const before = await findKeptAnswer(service, request);
  if (before) return replay(before);
  try {
    return await underWay.run({ ...request, service }, run);
  } catch (error) {
    // What the first call has taken, its repeat does not find.
    const first = await findKeptAnswer(service, request);
    if (first) return replay(first);
    throw error;
  }
}

const sealedOf = (id: string) => ({ about: JSON.stringify(['kept answer', id]) });

async function findKeptAnswer(
  service: ServiceName,
  { id }: Pick<Repeatable, 'id'>,
): Promise<Kept | undefined> {
  const found = await keptAnswers(service).get(id);
  if (!found) return undefined;
  const value = plainOf(`The kept answer ${id}`, await openStored(sealedOf(id), found.sealedValue));
  return { fingerprint: found.fingerprint, value: JSON.parse(value) };
}

/** The request under way, where it has an Idempotency-Key. For work that outlives its call. */
export function repeatable(): Repeatable | undefined {
  const request = underWay.getStore();
  return request && { id: request.id, fingerprint: request.fingerprint };
}

/**
 * The write that keeps the answer of the request under way, for the commit that creates. None where it has no
 * Idempotency-Key, and outside of requests.
 * @example await commit([...writes, ...(await keepingAnswer(renderFolder(folder)))]);
 */
export async function keepingAnswer(value: unknown): Promise<ItemWrite[]> {
  const request = underWay.getStore();
  return request ? [await keepingAnswerOf(request.service, request, value)] : [];
}

/** The same for a request whose call has ended. Refused with AnswerKept where its answer is kept already. */
export async function keepingAnswerOf(
  service: ServiceName,
  { id, fingerprint }: Repeatable,
  value: unknown,
): Promise<ItemWrite> {
  const sealedValue = await sealStored(sealedOf(id), JSON.stringify(value));
  return {
    ...keptAnswers(service).creating({ id, fingerprint, sealedValue, keptAtMs: Date.now() }),
    refusal: () => new AnswerKept('The request was carried out already.'),
  };
}

export class AnswerKept extends AlreadyExists {}
