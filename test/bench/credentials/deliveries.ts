import { randomUUID } from 'node:crypto';
import type { DegreeData } from '../../../functions/credentials/items/domain/data.ts';
import { type Item, items } from '../../../functions/credentials/items/domain/item.ts';
import { announcing } from '../../../functions/credentials/webhooks/domain/announce.ts';
import { webhooks } from '../../../functions/credentials/webhooks/domain/engine.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { commit } from '../../../shared/store/commit.ts';
import type { DueMessage } from '../../../shared/store/due/message.ts';
import type { Write } from '../../../shared/store/write.ts';
import { recording } from '../../../shared/webhooks/deliveries/record-events.ts';
import type { WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { unsent } from '../../shared/queue/unsent.ts';
import { type Figure, median } from '../measure/figures.ts';
import { engineOf, handleAll, messagesOf, register, sampleEvent, type World } from '../webhooks/world.ts';

const DELIVERIES = 1_000;
const ROUNDS = 5;
const EVENTS_A_COMMIT = 10;
const COMMITS_AT_ONCE = 4;
// About what a receiver on the internet takes; and none, where all time is ours.
const ANSWERS_MS = [20, 0];

// However long they wait for a slot, none goes to the slow queue.
const PACING = { patienceMs: { quick: 600_000, slow: 600_000 } };
const DOCUMENTS: WebhookEngine = engineOf({}, PACING);
const { policy } = DOCUMENTS;
const CREDENTIALS: WebhookEngine = { ...webhooks, policy, pacing: PACING };

/** Deliveries a second whose body is rendered from its item when it is sent, against those whose body is stored. */
export async function deliveryFigures(world: World): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const answerMs of ANSWERS_MS) figures.push(await deliveryFigure(world, answerMs));
  return figures;
}

async function deliveryFigure({ receiver }: World, answerMs: number): Promise<Figure> {
  const rounds: { rendered: number; stored: number }[] = [];
  // Turn by turn, so that whatever else the machine does falls on both alike.
  for (let n = 0; n < ROUNDS; n++)
    rounds.push({
      stored: await perSecond(DOCUMENTS, receiver, answerMs, changeDocuments),
      rendered: await perSecond(CREDENTIALS, receiver, answerMs, changeDegrees),
    });
  const shown = (of: 'rendered' | 'stored') => Math.round(median(rounds.map((round) => round[of])));
  return {
    name: `credentials: deliveries rendered when they are sent, against the document platform's, answers after ${answerMs} ms`,
    ratio: median(rounds.map(({ rendered, stored }) => rendered / stored)),
    promised: { atLeast: 0.6 },
    detail: `${shown('rendered')} and ${shown('stored')} a second, ${ROUNDS} rounds of ${DELIVERIES}, each rendered from an item of its own`,
  };
}

async function perSecond(
  engine: WebhookEngine,
  receiver: string,
  answerMs: number,
  happen: (owner: string) => Promise<DueMessage[]>,
): Promise<number> {
  const owner = randomUUID();
  await register(engine, owner, `${receiver}/${owner}?ms=${answerMs}`);
  const messages = await happen(owner);
  const startedAt = performance.now();
  await handleAll(engine, messages);
  const rate = (DELIVERIES * 1000) / (performance.now() - startedAt);
  const seen = (await (await fetch(receiver)).json()) as Record<string, { readonly confirmedIds: number }>;
  if (seen[`/${owner}`]?.confirmedIds !== DELIVERIES) throw new Error('Not everything was delivered.');
  return rate;
}

/** Commits the writes of so many events, each of a change of its own. The result has the messages of their deliveries. */
async function commitAll(changing: (n: number) => Promise<readonly Write[]>): Promise<DueMessage[]> {
  const messages: DueMessage[] = [];
  await forEachConcurrently(
    COMMITS_AT_ONCE,
    Array.from({ length: DELIVERIES / EVENTS_A_COMMIT }, (_, n) => n * EVENTS_A_COMMIT),
    async (first) => {
      const changes = Array.from({ length: EVENTS_A_COMMIT }, (_, n) => changing(first + n));
      const writes = (await Promise.all(changes)).flat();
      await commit(unsent(writes));
      messages.push(...messagesOf(writes));
    },
  );
  return messages;
}

const changeDocuments = (owner: string): Promise<DueMessage[]> =>
  commitAll(async () => (await recording(DOCUMENTS, owner, [sampleEvent()])).writes);

/** A degree for each delivery, with its event. */
const changeDegrees = (owner: string): Promise<DueMessage[]> =>
  commitAll(async (n) => {
    const degree = sampleDegree(owner, n);
    return [items.creating(degree), ...(await announcing(degree, 'Degree', 'concluded')).writes];
  });

const sampleDegree = (organizationId: string, n: number): Item<DegreeData> => ({
  kind: 'degree',
  id: randomUUID(),
  organizationId,
  instituteId: randomUUID(),
  state: 'Concluded',
  lastEvents: { Degree: 'concluded' },
  createdAtMs: Date.now(),
  updatedAtMs: Date.now(),
  reason: null,
  cancellationReason: null,
  searchable: { text: `Maria da Silva ${n}`, course: 'Engenharia Civil' },
  files: ['diploma', 'academic-documentation'].map((name) => ({
    name,
    sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    length: 12_345,
    document: { id: randomUUID(), url: `http://localhost:3000/documents/action/${randomUUID()}`, cpfs: [] },
    signed: {
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      length: 23_456,
      atMs: Date.now(),
    },
    problem: null,
  })),
  data: {
    studentName: `Maria da Silva ${n}`,
    studentSocialName: null,
    studentCpf: '52998224725',
    course: 'Engenharia Civil',
    issuingIes: 'Universidade Exemplo',
    version: '1.05',
    registeringIes: 'Universidade Exemplo',
    registeringInstituteId: randomUUID(),
    verificationCode: `1234.1234.${randomUUID().replaceAll('-', '')}`,
    academicTranscriptCreationError: null,
    transcriptId: null,
    emissionId: null,
  },
});
