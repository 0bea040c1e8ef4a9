import { fileURLToPath } from 'node:url';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import { dynamo } from '../../../../shared/store/client.ts';
import { command } from '../../../infra/child.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { timerOf } from '../stored.ts';

const receiver = receiversOfATest();
const runAndDie = command(fileURLToPath(new URL('./killed-runner.ts', import.meta.url)));

// killed runner   |--claims the queue--POST-- killed at some moment
// next runner                                  lease ends, the timer wakes  |--claims it--POST, same id--records
describe('a runner that is killed -9', () => {
  test.each([
    ['before the call', 0],
    ['during the call', 1],
    ['after the answer', 1],
  ])(
    '%s loses no delivery: the next one repeats it under the same webhook-id',
    async (moment, alreadySeen) => {
      const inbox = await receiver(({ headers }, response) => {
        const isFirst = inbox.received.length === 1;
        if (moment === 'during the call' && isFirst) process.kill(Number(headers['runner-pid']), 'SIGKILL');
        else response.end();
      });
      const { engine, owner, register, happen, run, all, pass } = anEngine();
      const { id } = await register({ url: inbox.url });
      const [eventId = ''] = await happen();
      expect((await runAndDie(owner, id, moment)).code).toBe(-1);
      expect(inbox.ids()).toEqual(Array(alreadySeen).fill(eventId));
      expect(await all(id)).toMatchObject([{ state: 'Pending', attempts: 0 }]);

      expect(await run(id, 'quick', 'again')).toBe('held');
      const timer = await timerOf(engine, id);
      pass(60_000);
      expect(timer).toBeLessThanOrEqual(Date.now() + 60_000);
      await run(id, 'quick', 'again');
      expect(inbox.ids()).toEqual(Array(alreadySeen + 1).fill(eventId));
      expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 1 }]);
    },
  );
});

// killed runner  |--claims, untimed--POST-- killed at some moment
// sweeper                 |--sends the wake-up again: held, so it sets the timer and is done
// next runner                                      lease ends, the timer wakes  |--claims it--POST, same id--records
describe('a runner of named deliveries that is killed -9', () => {
  const killedWorld = async (moment: string, status = 200) => {
    const inbox = await receiver(({ headers }, response) => {
      const isFirst = inbox.received.length === 1;
      if (moment === 'during the call' && isFirst) process.kill(Number(headers['runner-pid']), 'SIGKILL');
      else response.writeHead(status).end();
    });
    const world = anEngine();
    const { id } = await world.register({ url: inbox.url });
    const [eventId = ''] = await world.happen();
    expect((await runAndDie(world.owner, id, moment, eventId)).code).toBe(-1);
    return { ...world, inbox, id, eventId };
  };

  test.each([
    ['after the claim', 0],
    ['before the call', 0],
    ['during the call', 1],
    ['after the answer', 1],
  ])(
    '%s loses no delivery: its wake-up comes again, and it is repeated once',
    async (moment, alreadySeen) => {
      const { engine, inbox, id, eventId, run, runNamed, all, pass } = await killedWorld(moment);
      expect(inbox.ids()).toEqual(Array(alreadySeen).fill(eventId));
      expect(await all(id)).toMatchObject([{ state: 'Pending', attempts: 0 }]);
      expect(await timerOf(engine, id)).toBeUndefined();

      expect(await runNamed(id, [eventId])).toBe('held');
      expect(await timerOf(engine, id)).toBeLessThanOrEqual(Date.now() + 60_000);
      pass(60_000);
      await run(id, 'quick', 'again');
      expect(inbox.ids()).toEqual(Array(alreadySeen + 1).fill(eventId));
      expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 1 }]);
    },
  );

  test('is followed by its own wake-up where that comes after the lease', async () => {
    const { inbox, id, eventId, runNamed, all, pass } = await killedWorld('before the call');
    pass(60_000);
    expect(await runNamed(id, [eventId])).toBe('ran');
    expect(inbox.ids()).toEqual([eventId]);
    expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 1 }]);
  });

  test('is followed by the wake-up of a later event where its own is long in coming', async () => {
    const { inbox, id, eventId, happen, runNamed, all, pass } = await killedWorld('before the call');
    pass(60_000);
    const [later = ''] = await happen();
    await runNamed(id, [later]);
    expect(inbox.ids().toSorted()).toEqual([eventId, later].toSorted());
    expect((await all(id)).map(({ state }) => state)).toEqual(['Confirmed', 'Confirmed']);
  });

  test('after it recorded a failure leaves the next attempt to the timer', async () => {
    const { engine, inbox, id, eventId, run, runNamed, all, pass } = await killedWorld('after a commit', 500);
    expect(await all(id)).toMatchObject([{ state: 'Pending', attempts: 1 }]);
    expect(await timerOf(engine, id)).toBeUndefined();
    expect(await runNamed(id, [eventId])).toBe('held');
    expect(await timerOf(engine, id)).toBeDefined();
    pass(60_000);
    await run(id, 'quick', 'again');
    expect(inbox.ids()).toEqual([eventId, eventId]);
    expect(await all(id)).toMatchObject([{ state: 'Pending', attempts: 2 }]);
  });

  test('after the release has done its work: the wake-up finds nothing to send', async () => {
    const { engine, inbox, id, eventId, runNamed, all } = await killedWorld('after a commit');
    expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 1 }]);
    expect(await runNamed(id, [eventId])).toBe('ran');
    expect(inbox.ids()).toEqual([eventId]);
    expect(await timerOf(engine, id)).toBeUndefined();
  });
});

describe('a runner whose store fails', () => {
  test('after the answer records nothing that is not so, and the next one repeats it', async () => {
    const inbox = await receiver();
    const { register, happen, run, all, pass } = anEngine();
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
    pass(60_000);
    await run(id, 'quick', 'again');
    expect(inbox.ids()).toEqual([eventId, eventId]);
    expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 1 }]);
  });
});
