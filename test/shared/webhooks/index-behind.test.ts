import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { anEngine } from './an-engine.ts';
import { receiversOfATest } from './receivers.ts';
import { timerOf } from './stored.ts';

// An index of DynamoDB may be behind its table, by milliseconds as a rule. The emulator's never is, so its answers
// are held back here.

const receiver = receiversOfATest();
afterEach(() => {
  vi.restoreAllMocks();
});

const onLane = (webhookId: string) =>
  new QueryCommand({
    TableName: tableName('documents'),
    IndexName: 'due',
    KeyConditionExpression: 'duePk = :lane',
    ExpressionAttributeValues: { ':lane': { S: `LANE#${webhookId}` } },
  });

/** From now on the index answers as it does now, until it is let go. */
async function holdIndex(webhookId: string): Promise<() => void> {
  const before = await dynamo().send(onLane(webhookId));
  const { send } = dynamo();
  const spy = vi.spyOn(dynamo(), 'send').mockImplementation((command: unknown) => {
    const isOnIndex = command instanceof QueryCommand && command.input.IndexName === 'due';
    return isOnIndex
      ? Promise.resolve({ Items: before.Items ?? [] })
      : Reflect.apply(send, dynamo(), [command]);
  });
  return () => spy.mockRestore();
}

describe('an index that is behind its table', () => {
  // index   delivery pending                                  (still) pending
  // table   delivery pending --POST--confirmed ----------------------|--looks: it is confirmed, no second POST
  it('and names what was delivered since does not make it be sent again', async () => {
    const inbox = await receiver();
    const { register, happen, run } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen({}, {}, {});
    await holdIndex(id);
    await run(id);
    await run(id);
    expect(inbox.received).toHaveLength(3);
  });

  // recorder  |--commits--wakes
  // runner                 |--looks: nothing--leaves, timer in a minute .......... |--looks: finds it
  it('and lacks what was recorded just now does not make it be forgotten', async () => {
    const inbox = await receiver();
    const { engine, register, happen, run, now, pass } = anEngine();
    const { id } = await register({ url: inbox.url });
    const letGo = await holdIndex(id);
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
});
