import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../../../shared/queue/send.ts';
import { listDeliveries } from '../../../shared/webhooks/deliveries.ts';
import type { DeliveryState } from '../../../shared/webhooks/delivery-states.ts';
import type { Pacing, Policy, WebhookEngine } from '../../../shared/webhooks/engine.ts';
import type { Wake } from '../../../shared/webhooks/lane-message.ts';
import { replaceWebhook } from '../../../shared/webhooks/registrations.ts';
import type { Figure } from '../figures.ts';
import { engineOf, record, register, startConsumers, type World } from './world.ts';

const EVENTS = 5_000;
// Slow enough that the machine's processors are not what everything waits for: that would measure them.
const HEALTHY_MS = 200;
const SLOW_MS = 10_000;

// While the healthy are measured, every time is the real one. What the others have left then, hours of retries and
// of waiting for the slow one, is hurried: the end of each delivery is what counts from there on.
const REAL = { policy: { retryFactor: 1 }, pacing: {} };
const HURRIED = { policy: { retryFactor: 0.001 }, pacing: { breathMs: 1 } };

type Hurry = { readonly policy: Partial<Policy>; readonly pacing: Partial<Pacing> };

/** Healthy webhooks beside a dead one, a slow one and one that fails a fifth, against the same healthy alone. */
export async function isolationFigure(world: World): Promise<Figure> {
  let hurry: Hurry = REAL;
  const engine: WebhookEngine = {
    ...engineOf({}),
    policy: () => engineOf(hurry.policy).policy(),
    get pacing() {
      return hurry.pacing;
    },
  };
  const setHurry = (to: Hurry): void => {
    hurry = to;
  };
  const consumers = await startConsumers(engine);
  const alone = await run(world, engine, [], setHurry);
  const together = await run(world, engine, ['slow', 'flaky', 'dead'], setHurry);
  await consumers.stop();
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  return {
    name: '5,000 events to healthy webhooks beside a dead, a slow and a failing one, against the healthy alone',
    ratio: together.healthyMs / alone.healthyMs,
    promised: { atMost: 1.3 },
    detail: `${seconds(together.healthyMs)} and ${seconds(alone.healthyMs)} s, answers after ${HEALTHY_MS} ms; the slow one takes ${SLOW_MS / 1000} s; in the end ${together.ends}`,
  };
}

async function run(
  { receiver, dead }: World,
  engine: WebhookEngine,
  others: readonly ('slow' | 'flaky' | 'dead')[],
  setHurry: (hurry: Hurry) => void,
) {
  setHurry(REAL);
  const owner = randomUUID();
  const url = (name: string, how: string) => `${receiver}/${owner}/${name}?${how}`;
  const urls: Record<string, string> = {
    'healthy-1': url('healthy-1', `ms=${HEALTHY_MS}`),
    'healthy-2': url('healthy-2', `ms=${HEALTHY_MS}`),
    ...(others.includes('slow') && { slow: url('slow', `ms=${SLOW_MS}`) }),
    ...(others.includes('flaky') && { flaky: url('flaky', `ms=${HEALTHY_MS}&fails=0.2`) }),
    ...(others.includes('dead') && { dead }),
  };
  const ids = new Map<string, string>();
  for (const [name, to] of Object.entries(urls)) ids.set(name, await register(engine, owner, to));
  await record(engine, owner, EVENTS);

  const startedAt = performance.now();
  const wake: Wake = { owner, webhookIds: [...ids.values()], look: 'new' };
  await send(engine.service, engine.queue, wake);
  const seen = async (name: string) => (await counts(receiver))[`/${owner}/${name}`];
  while (
    (await seen('healthy-1'))?.confirmedIds !== EVENTS ||
    (await seen('healthy-2'))?.confirmedIds !== EVENTS
  )
    await pause(100);
  const healthyMs = performance.now() - startedAt;

  setHurry(HURRIED);
  const slow = ids.get('slow');
  if (slow) await replaceWebhook(engine, owner, slow, { url: url('slow', 'ms=0'), authType: 'NoAuth' });
  for (const id of ids.values()) while ((await count(engine, id, 'Pending', 1)) > 0) await pause(1_000);

  const ends: string[] = [];
  for (const [name, id] of ids) ends.push(`${name} ${await endOf(engine, id, name, await seen(name))}`);
  return { healthyMs, ends: ends.join(', ') };
}

type Seen = {
  readonly requests: number;
  readonly confirmed: number;
  readonly ids: number;
  readonly confirmedIds: number;
};

const counts = async (receiver: string): Promise<Record<string, Seen>> =>
  (await fetch(receiver)).json() as never;

async function endOf(
  engine: WebhookEngine,
  id: string,
  name: string,
  seen: Seen | undefined,
): Promise<string> {
  const confirmed = await count(engine, id, 'Confirmed');
  const exhausted = await count(engine, id, 'Exhausted');
  const addsUp =
    confirmed + exhausted === EVENTS &&
    (name === 'dead' ? confirmed === 0 : seen?.ids === EVENTS && seen.confirmedIds === confirmed);
  if (!addsUp)
    throw new Error(
      `${name}: ${confirmed} confirmed and ${exhausted} given up; it saw ${JSON.stringify(seen)}.`,
    );
  return exhausted === 0 ? `${confirmed} confirmed` : `${confirmed} confirmed and ${exhausted} given up`;
}

async function count(
  engine: WebhookEngine,
  id: string,
  state: DeliveryState,
  most = Infinity,
): Promise<number> {
  let found = 0;
  let cursor: string | undefined;
  do {
    const page = await listDeliveries(engine, id, { state, limit: Math.min(most, 500), cursor });
    if ('refused' in page) throw new Error(page.refused);
    found += page.items.length;
    cursor = page.next;
  } while (cursor !== undefined && found < most);
  return found;
}
