import { isDeepStrictEqual } from 'node:util';
import { cleanUp } from '../../infra/local/engine/engine-process.ts';
import {
  CONCLUDED,
  type KillableEngine,
  outcomeOf,
  registerReceiver,
  secondsUntil,
  signOne,
  startKillable,
} from '../../infra/local/engine/kills/killed-work.ts';
import type { Figure } from '../measure/figures.ts';

const KILLS = 20;
const PROMISED_SECONDS = 30;
// Long enough to tell a slow outcome from none.
const GIVE_UP_SECONDS = 180;
const RECEIVER = 'crash';

/** kill -9 right after an acknowledged signature: how soon it is concluded and told of after the restart, and how often. */
export async function figures(): Promise<Figure[]> {
  const engine = await startKillable();
  try {
    await registerReceiver(engine, RECEIVER);
    const signed: string[] = [];
    const taken: number[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const id = await signOne(engine);
      await engine.killAndRestart();
      taken.push(await secondsUntil(() => isConcluded(engine, id), GIVE_UP_SECONDS));
      signed.push(id);
    }
    // Looked at again at the end: a second event might come later.
    const outcomes = await Promise.all(signed.map((id) => isConcluded(engine, id)));
    const slowest = Math.max(...taken);
    return [
      {
        name: `kill -9 after an acknowledged signature, ${KILLS} times: the slowest until it is concluded and delivered, of ${PROMISED_SECONDS} s`,
        ratio: slowest / PROMISED_SECONDS,
        promised: { atMost: 1 },
        detail: `from the restarted engine's first answer; slowest ${slowest.toFixed(1)} s`,
      },
      {
        name: 'signatures before a kill that were not concluded and told of exactly once',
        ratio: outcomes.filter((isDone) => !isDone).length,
        promised: { atMost: 0 },
        detail: `of ${KILLS}`,
      },
    ];
  } finally {
    await cleanUp();
  }
}

const isConcluded = async (engine: KillableEngine, id: string): Promise<boolean> =>
  isDeepStrictEqual(await outcomeOf(engine, RECEIVER, id), CONCLUDED);
