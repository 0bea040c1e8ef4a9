import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { replayAllFailed } from '../../../../shared/webhooks/deliveries/replay.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { timerOf } from '../stored.ts';

// An index of DynamoDB may be behind its table, by milliseconds as a rule. The embedded store's never is, so its answers
// are held back here.

const receiver = receiversOfATest();
afterEach(() => {
  vi.restoreAllMocks();
});

const underKey = (duePk: string) =>
  new QueryCommand({
    TableName: tableName('documents'),
    IndexName: 'due',
    KeyConditionExpression: 'duePk = :key',
    ExpressionAttributeValues: { ':key': { S: duePk } },
  });

/** The current answer of the index. `hold` makes it the answer from then on, until it is let go. */
async function indexAsOfNow(duePk: string): Promise<{ hold(): () => void }> {
  const { Items = [] } = await dynamo().send(underKey(duePk));
  const { send } = dynamo();
  const hold = () => {
    const spy = vi.spyOn(dynamo(), 'send').mockImplementation((command: unknown) => {
      const isOnIndex = command instanceof QueryCommand && command.input.IndexName === 'due';
      return isOnIndex ? Promise.resolve({ Items }) : Reflect.apply(send, dynamo(), [command]);
    });
    return () => spy.mockRestore();
  };
  return { hold };
}

describe('an index that is behind its table', () => {
  // index   delivery pending                                  (still) pending
  // table   delivery pending --POST--confirmed ----------------------|--looks: it is confirmed, no second POST
  test('and names what was delivered since does not make it be sent again', async () => {
    const inbox = await receiver();
    const { register, happen, run } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen({}, {}, {});
    (await indexAsOfNow(`PENDING#${id}`)).hold();
    await run(id);
    await run(id);
    expect(inbox.received).toHaveLength(3);
  });

  // recorder  |--commits--wakes
  // runner                 |--looks: nothing--leaves, timer in a minute .......... |--looks: finds it
  test('and lacks what was recorded just now does not make it be forgotten', async () => {
    const inbox = await receiver();
    const { engine, register, happen, run, now, pass } = anEngine();
    const { id } = await register({ url: inbox.url });
    const letGo = (await indexAsOfNow(`PENDING#${id}`)).hold();
    await happen();
    await run(id);
    expect(inbox.received).toHaveLength(0);
    const looksAt = await timerOf(engine, id);
    expect(looksAt).toBe(now() + 60_000);
    letGo();
    pass(60_000);
    await run(id, 'quick', 'again');
    expect(inbox.received).toHaveLength(1);
  });

  test('and names what was replayed and confirmed since does not make it be replayed again', async () => {
    let status = 500;
    const inbox = await receiver((_, response) => response.writeHead(status).end());
    const { engine, owner, register, happen, run } = anEngine({ policy: { maxAttempts: 1 } });
    const { id } = await register({ url: inbox.url });
    await happen({}, {});
    await run(id);
    status = 200;
    const stale = await indexAsOfNow(`EXHAUSTED#${id}`);
    expect(await replayAllFailed(engine, owner, id)).toEqual({ replayed: 2, more: false });
    await run(id);
    stale.hold();
    expect(await replayAllFailed(engine, owner, id)).toEqual({ replayed: 0, more: false });
    expect(inbox.received).toHaveLength(4);
  });
});
