import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { commit } from '../../../../shared/store/commit.ts';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { slowMarksOf } from '../../../../shared/webhooks/queue/slow-webhooks.ts';
import { addWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { anEngine } from '../an-engine.ts';
import { startConsumers } from '../consumers.ts';
import { onOwnStage, ownQueues } from '../own-stage.ts';
import { receiversOfATest } from '../receivers.ts';

onOwnStage();
const receiver = receiversOfATest();

// The consumers of own-stage.ts run five batches of a queue at once.
const SLOW = 20;

test('receivers that do not answer, more of them than functions at once, keep no other waiting', async () => {
  const held: ServerResponse[] = [];
  const slow = await receiver((_, response) => held.push(response));
  const healthy = await receiver();
  const world = anEngine({ queue: await ownQueues(), policy: { timeoutSeconds: 60 } });
  const engine = { ...world.engine, now: Date.now };
  const happen = async (owner: string) => {
    const { writes } = await recording(engine, owner, [{ type: 'T', data: null }]);
    await commit(writes);
  };
  const isThere = async (url: string, isSlow = false): Promise<string> => {
    const owner = randomUUID();
    const added = await addWebhook(engine, owner, { url, authType: 'NoAuth' });
    if ('refused' in added) throw new Error(added.message);
    if (isSlow) await slowMarksOf(engine).put({ webhookId: added.id, untilMs: engine.now() + 900_000 });
    return owner;
  };
  const consumers = await startConsumers(engine, { concurrency: 5 });
  try {
    for (let n = 0; n < SLOW; n++) await happen(await isThere(slow.url, true));
    while (held.length < SLOW / 2) await pause(50);
    await happen(await isThere(healthy.url));
    while (healthy.received.length === 0) await pause(20);
    expect(held.every((response) => !response.writableEnded)).toBe(true);
  } finally {
    const answering = setInterval(() => {
      for (const response of held.splice(0)) response.end();
    }, 50);
    await consumers.stop();
    clearInterval(answering);
  }
}, 60_000);
