import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryState } from '../../../shared/webhooks/deliveries/delivery.ts';
import { listDeliveries } from '../../../shared/webhooks/deliveries/list-deliveries.ts';
import type { WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { replaceWebhook } from '../../../shared/webhooks/registrations/registrations.ts';
import { record, register } from './world.ts';

type Options = {
  readonly engine: WebhookEngine;
  readonly receiver: string;
  readonly hurry: (to: boolean) => void;
  /** Webhooks by name, each with how its receiver answers, or with an address. */
  readonly hooks: Readonly<Record<string, string>>;
};

export type Group = {
  /** Tells all of so many events, and answers how long it took until the healthy had theirs. */
  slice(events: number): Promise<number>;
  /** How it ended for each, once it is certain that the numbers add up. */
  ends(events: number): Promise<string>;
};

/** An owner with webhooks that are told the same events. */
export async function startGroup({ engine, receiver, hurry, hooks }: Options): Promise<Group> {
  const owner = randomUUID();
  const urlOf = (name: string, how: string) =>
    how.startsWith('http') ? how : `${receiver}/${owner}/${name}?${how}`;
  const ids = new Map<string, string>();
  for (const [name, how] of Object.entries(hooks))
    ids.set(name, await register(engine, owner, urlOf(name, how)));
  const seen = async (name: string) => (await counts(receiver))[`/${owner}/${name}`];
  let told = 0;

  // The slow one answers at once while what is left of a slice is brought to its end.
  const answerSlow = async (how: string | undefined): Promise<void> => {
    const id = ids.get('slow');
    if (!id || how === undefined) return;
    await replaceWebhook(engine, owner, id, { url: urlOf('slow', how), authType: 'NoAuth' });
  };
  const settle = async (): Promise<void> => {
    hurry(true);
    await answerSlow('ms=0');
    for (const id of ids.values()) while ((await count(engine, id, 'Pending', 1)) > 0) await pause(500);
    await answerSlow(hooks.slow);
    hurry(false);
  };

  return {
    async slice(events) {
      told += events;
      const startedAt = performance.now();
      await record(engine, owner, events, true);
      for (const name of ['healthy-1', 'healthy-2'])
        while ((await seen(name))?.confirmedIds !== told) await pause(100);
      const tookMs = performance.now() - startedAt;
      await settle();
      return tookMs;
    },

    async ends(events) {
      const ends: string[] = [];
      for (const [name, id] of ids)
        ends.push(`${name} ${await endOf(engine, id, name, await seen(name), events)}`);
      return ends.join(', ');
    },
  };
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
  events: number,
): Promise<string> {
  const confirmed = await count(engine, id, 'Confirmed');
  const exhausted = await count(engine, id, 'Exhausted');
  const addsUp =
    confirmed + exhausted === events &&
    (name === 'dead' ? confirmed === 0 : seen?.ids === events && seen.confirmedIds === confirmed);
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
