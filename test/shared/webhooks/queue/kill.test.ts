import { fileURLToPath } from 'node:url';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import { dynamo } from '../../../../shared/store/client.ts';
import { command } from '../../../infra/child.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { recordOf } from '../stored.ts';

const receiver = receiversOfATest();
const runAndDie = command(fileURLToPath(new URL('./killed-runner.ts', import.meta.url)));

// killed worker  |--reads--POST-- killed at some moment
// sweeper                     (head start over) |--the outbox record is there: sends the message again
// next worker                                     |--reads--POST, same id--records
describe('a worker that is killed -9', () => {
  const killedWorld = async (moment: string, status = 200) => {
    const inbox = await receiver(({ headers }, response) => {
      const isFirst = inbox.received.length === 1;
      if (moment === 'during the call' && isFirst) process.kill(Number(headers['runner-pid']), 'SIGKILL');
      else response.writeHead(status).end();
    });
    const world = anEngine();
    const { id } = await world.register({ url: inbox.url });
    const [eventId = ''] = await world.happen();
    expect((await runAndDie(world.owner, id, eventId, moment)).code).toBe(-1);
    const message = (attempt: number) => ({ owner: world.owner, webhookId: id, eventId, attempt });
    return { ...world, inbox, id, eventId, message };
  };

  test.each([
    ['before the call', 0],
    ['during the call', 1],
    ['after the answer', 1],
  ])(
    '%s loses no delivery: its message comes again, and it is repeated once',
    async (moment, alreadySeen) => {
      const { engine, inbox, id, eventId, message, runMessages, all } = await killedWorld(moment);
      expect(inbox.ids()).toEqual(Array(alreadySeen).fill(eventId));
      expect(await all(id)).toMatchObject([{ state: 'Pending', attempts: 0 }]);
      expect(await recordOf(engine, id, eventId)).toBeDefined();

      await runMessages([message(1)]);
      expect(inbox.ids()).toEqual(Array(alreadySeen + 1).fill(eventId));
      expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 1 }]);
      expect(await recordOf(engine, id, eventId)).toBeUndefined();
    },
  );

  test('after it recorded a failure leaves the record of the next attempt', async () => {
    const { engine, inbox, id, eventId, message, runMessages, all, pass } = await killedWorld(
      'after the commit',
      500,
    );
    expect(await all(id)).toMatchObject([{ state: 'Pending', attempts: 1 }]);
    expect(await recordOf(engine, id, eventId)).toMatchObject({
      queue: 'webhooks-slow',
      body: JSON.stringify(message(2)),
    });
    expect(await runMessages([message(1)])).toEqual([undefined]);
    expect(inbox.received).toHaveLength(1);
    pass(60_000);
    await runMessages([message(2)]);
    expect(inbox.ids()).toEqual([eventId, eventId]);
    expect(await all(id)).toMatchObject([{ state: 'Pending', attempts: 2 }]);
  });

  test('after it recorded a confirmation leaves nothing to send', async () => {
    const { engine, inbox, id, eventId, message, runMessages, all } = await killedWorld('after the commit');
    expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 1 }]);
    expect(await recordOf(engine, id, eventId)).toBeUndefined();
    await runMessages([message(1)]);
    expect(inbox.ids()).toEqual([eventId]);
  });
});

test('a worker whose store fails after the answer records nothing that is not so, and the next one repeats it', async () => {
  const inbox = await receiver();
  const { register, happen, run, all } = anEngine();
  const { id } = await register({ url: inbox.url });
  const [eventId = ''] = await happen();
  const { send } = dynamo();
  const failing = vi.spyOn(dynamo(), 'send').mockImplementation((command: unknown) => {
    const isLate = inbox.received.length > 0 && !(command instanceof QueryCommand);
    return isLate ? Promise.reject(new Error('no answer')) : Reflect.apply(send, dynamo(), [command]);
  });
  await expect(run(id)).rejects.toThrow('no answer');
  failing.mockRestore();
  expect(await all(id)).toMatchObject([{ state: 'Pending', attempts: 0 }]);
  await run(id);
  expect(inbox.ids()).toEqual([eventId, eventId]);
  expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 1 }]);
});
