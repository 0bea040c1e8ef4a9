import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { type Figure, median } from '../measure/figures.ts';
import { engineOf, handleAll, record, register, sampleEvent, type World } from './world.ts';

const DELIVERIES = 1_000;
const ROUNDS = 5;
// The first ones compile what they run, of ours much more: a process of functions serves for hours.
const WARM_ROUNDS = 2;
// As many as a webhook has by default.
const CONNECTIONS = 10;
// About what a receiver on the internet takes.
const ANSWER_MS = 20;

/** Deliveries a second, each read from the table and recorded there, against a plain loop over a pool. */
export const throughputFigures = async (world: World): Promise<Figure[]> => [
  await throughputFigure(world, {
    name: 'webhook deliveries, recorded, against a plain undici Pool to the same receiver',
    answerMs: ANSWER_MS,
    atLeast: 0.3,
  }),
  // All time is ours here: reading, sending and recording. The receiver answers by a timer of 0 ms, as one of Node does.
  await throughputFigure(world, {
    name: 'webhook deliveries, recorded, against a plain undici Pool to a receiver that answers at once',
    answerMs: 0,
    atLeast: 0.35,
  }),
];

type Measured = { readonly name: string; readonly answerMs: number; readonly atLeast: number };

async function throughputFigure({ receiver }: World, { name, answerMs, atLeast }: Measured): Promise<Figure> {
  const rounds: { ours: number; plain: number }[] = [];
  // Turn by turn, so that whatever else the machine does falls on both alike.
  for (let n = 0; n < WARM_ROUNDS + ROUNDS; n++) {
    const round = { ours: await deliver(receiver, answerMs), plain: await postPlainly(receiver, answerMs) };
    if (n >= WARM_ROUNDS) rounds.push(round);
  }
  const shown = (of: 'ours' | 'plain') => Math.round(median(rounds.map((round) => round[of])));
  return {
    name,
    ratio: median(rounds.map(({ ours, plain }) => ours / plain)),
    promised: { atLeast },
    detail: `${shown('ours')} and ${shown('plain')} a second, ${CONNECTIONS} connections, answers after ${answerMs} ms`,
  };
}

const perSecond = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (DELIVERIES * 1000) / (performance.now() - startedAt);
};

async function deliver(receiver: string, answerMs: number): Promise<number> {
  // However long they wait for a slot, none goes to the slow queue.
  const engine = engineOf({ concurrency: CONNECTIONS }, { patienceMs: { quick: 600_000, slow: 600_000 } });
  const owner = randomUUID();
  await register(engine, owner, `${receiver}/${owner}?ms=${answerMs}`);
  const messages = await record(engine, owner, DELIVERIES);
  const rate = await perSecond(() => handleAll(engine, messages));
  const seen = (await (await fetch(receiver)).json()) as Record<string, { readonly confirmedIds: number }>;
  if (seen[`/${owner}`]?.confirmedIds !== DELIVERIES) throw new Error('Not everything was delivered.');
  return rate;
}

async function postPlainly(receiver: string, answerMs: number): Promise<number> {
  const pool = new Pool(receiver, { connections: CONNECTIONS });
  const bodies = Array.from({ length: DELIVERIES }, () => JSON.stringify(sampleEvent())).values();
  const slot = async (): Promise<void> => {
    for (const body of bodies) {
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        authorization: 'Bearer bench',
        'webhook-id': randomUUID(),
      };
      const path = `/plain?ms=${answerMs}`;
      const answer = await pool.request({ path, method: 'POST', headers, body });
      await answer.body.text();
    }
  };
  const rate = await perSecond(() => Promise.all(Array.from({ length: CONNECTIONS }, slot)));
  await pool.close();
  return rate;
}
