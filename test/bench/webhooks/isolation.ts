import type { Pacing, Policy, WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { startConsumers } from '../../shared/webhooks/consumers.ts';
import { type Figure, median } from '../measure/figures.ts';
import { type Group, startGroup } from './group.ts';
import { engineOf, type World } from './world.ts';

const EVENTS = 5_000;
// Turn by turn, and there and back, so that whatever else the machine does falls on both alike.
const SLICES = 5;
// Slow enough that the machine's processors are not what everything waits for: that would measure them.
const HEALTHY_MS = 200;
const SLOW_MS = 10_000;

// Retries come ten times sooner than published, which is harder on the healthy, and four attempts are all. Every other
// pace is the real one while a slice is measured; what is left then is hurried to its end.
const MAX_ATTEMPTS = 4;
const MEASURED: Hurry = { policy: { maxAttempts: MAX_ATTEMPTS, retryFactor: 0.1 }, pacing: {} };
const HURRIED: Hurry = {
  policy: { maxAttempts: MAX_ATTEMPTS, retryFactor: 0.001 },
  pacing: { returnAfterMs: { quick: 1_000, slow: 1_000 } },
};

type Hurry = { readonly policy: Partial<Policy>; readonly pacing: Partial<Pacing> };

/** Healthy webhooks beside a dead one, a slow one and one that fails a fifth, against the same healthy alone. */
export async function isolationFigure({ receiver, dead }: World): Promise<Figure> {
  let now = MEASURED;
  const engine: WebhookEngine = {
    ...engineOf({}),
    policy: () => engineOf(now.policy).policy(),
    get pacing() {
      return now.pacing;
    },
  };
  const hurry = (isHurried: boolean): void => {
    now = isHurried ? HURRIED : MEASURED;
  };
  const consumers = await startConsumers(engine);
  const healthy = { 'healthy-1': `ms=${HEALTHY_MS}`, 'healthy-2': `ms=${HEALTHY_MS}` };
  const others = { slow: `ms=${SLOW_MS}`, flaky: `ms=${HEALTHY_MS}&fails=0.2`, dead };
  const alone = await startGroup({ engine, receiver, hurry, hooks: healthy });
  const beside = await startGroup({ engine, receiver, hurry, hooks: { ...healthy, ...others } });
  const slices: { readonly alone: number; readonly beside: number }[] = [];
  const slice = (group: Group) => group.slice(EVENTS / SLICES);
  for (let n = 0; n < SLICES; n++)
    slices.push(
      n % 2 === 0
        ? { alone: await slice(alone), beside: await slice(beside) }
        : { beside: await slice(beside), alone: await slice(alone) },
    );
  await alone.ends(EVENTS);
  const ends = await beside.ends(EVENTS);
  await consumers.stop();

  const seconds = (of: 'alone' | 'beside') => slices.map((each) => (each[of] / 1000).toFixed(1)).join(', ');
  return {
    name: '5,000 events to healthy webhooks beside a dead, a slow and a failing one, against the healthy alone',
    ratio: median(slices.map(({ alone, beside }) => beside / alone)),
    promised: { atMost: 1.3 },
    detail: `by turns ${seconds('beside')} and ${seconds('alone')} s, answers after ${HEALTHY_MS} ms; the slow one takes ${SLOW_MS / 1000} s; in the end ${ends}`,
  };
}
