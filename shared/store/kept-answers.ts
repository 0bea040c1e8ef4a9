import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServiceName } from '../settings/names.ts';
import { collection, type Stored } from './collection.ts';
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
  readonly value: string;
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

/** Runs what a request asks for, so that the commit in it can keep the answer. */
export const runRepeatable = <T>(
  service: ServiceName,
  request: Repeatable,
  run: () => Promise<T>,
): Promise<T> => underWay.run({ ...request, service }, run);

/** The answer that a request had before. */
export const findKeptAnswer = (
  service: ServiceName,
  { id }: Pick<Repeatable, 'id'>,
): Promise<Stored<KeptAnswer> | undefined> => keptAnswers(service).get(id);

/** The request under way, where it has an Idempotency-Key. For work that outlives its call. */
export function repeatable(): Repeatable | undefined {
  const request = underWay.getStore();
  return request && { id: request.id, fingerprint: request.fingerprint };
}

/**
 * The write that keeps the answer of the request under way, for the commit that creates. None where it has no
 * Idempotency-Key, and outside of requests.
 * @example await commit([...writes, ...keepingAnswer(renderFolder(folder))]);
 */
export function keepingAnswer(value: unknown): ItemWrite[] {
  const request = underWay.getStore();
  return request ? [keepingAnswerOf(request.service, request, value)] : [];
}

/** The same for a request whose call has ended. Refused with AnswerKept where its answer is kept already. */
export const keepingAnswerOf = (
  service: ServiceName,
  { id, fingerprint }: Repeatable,
  value: unknown,
): ItemWrite => ({
  ...keptAnswers(service).creating({ id, fingerprint, value: JSON.stringify(value), keptAtMs: Date.now() }),
  refusal: () => new AnswerKept('The request was carried out already.'),
});

export class AnswerKept extends Error {}
