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
