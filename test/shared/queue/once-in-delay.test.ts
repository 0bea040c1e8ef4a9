import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { recordOnceInDelay } from '../../../shared/queue/once-in-delay.ts';
import { recordAndSend, sendDueMessages, sending } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { commit } from '../../../shared/store/commit.ts';
import { HEAD_START_MS } from '../../../shared/store/due/message.ts';
import { countCalls } from '../../measure/calls.ts';
import { unsent } from './unsent.ts';

const START_MS = Date.UTC(2026, 10, 3);
const DELAY_MS = 2_000;

/** Work that is caused at some time after the start. The queue is one that nothing here reads. */
function someWork() {
  const id = randomUUID();
  const options = (afterMs: number) => ({
    ...({ service: 'credentials', queue: 'tasks', id, delaySeconds: DELAY_MS / 1_000 } as const),
    ...{ body: { id }, now: () => START_MS + afterMs },
  });
  const callsOf = async (run: () => Promise<unknown>) => (await countCalls(run)).byCommand;
  return {
    options,
    cause: (afterMs: number) => callsOf(() => recordOnceInDelay(options(afterMs))),
    causes: (times: readonly number[]) =>
      callsOf(() => Promise.all(times.map((afterMs) => recordOnceInDelay(options(afterMs))))),
  };
}

const SENT = { PutItem: 1, SendMessageBatch: 1 };
const REFUSED = { PutItem: 1 };

test('causes of one piece of work within its delay are one message, and the next cause has its own', async () => {
  const { cause, causes } = someWork();
  expect(await causes([0, 0, 1, 2])).toMatchObject(SENT);
  expect(await cause(DELAY_MS - 1)).toEqual({});
  // Its work may have begun, and seen nothing of this.
  expect(await cause(DELAY_MS)).toEqual(SENT);
  expect(await cause(DELAY_MS + 1)).toEqual({});
});

test('a message of another process counts for as long as it waits, which is asked for every time', async () => {
  const { cause, options } = someWork();
  const { service, queue, body, ...rest } = options(0);
  await recordAndSend(service, queue, body, rest);
  expect(await cause(1)).toEqual(REFUSED);
  expect(await cause(DELAY_MS - 1)).toEqual(REFUSED);
  expect(await cause(DELAY_MS)).toEqual(SENT);
});

// writer   |--records-- killed
// sweeper              |--claims--sends--|    its record is due in a minute, and its work has perhaps begun
// cause                                    |--records anew--sends--|
test('a message that the sweeper has sent does not count', async () => {
  const { cause, options } = someWork();
  await commit(unsent([sending(options(0))]));
  const sweptAtMs = START_MS + DELAY_MS + HEAD_START_MS;
  const sweep = scheduleHandler('credentials', 'send-due', sendDueMessages('credentials'), () => sweptAtMs);
  await sweep();
  expect(await cause(sweptAtMs - START_MS + 1)).toEqual(SENT);
});

test('a cause whose record fails is refused, and the next one records', async () => {
  const { cause, options } = someWork();
  const tooLarge = { ...options(0), body: 'x'.repeat(500_000) };
  await expect(recordOnceInDelay(tooLarge)).rejects.toThrow();
  expect(await cause(1)).toEqual(SENT);
});
