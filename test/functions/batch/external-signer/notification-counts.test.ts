import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  countNotification,
  writeNotificationCounts,
} from '../../../../functions/batch/external-signer/domain/notifications/notification-counts.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { countCalls } from '../../../calls.ts';
import { notificationStage } from './notification-stage.ts';

const { outcomes, countedBy } = notificationStage();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

/** The pause after the last write is over. */
const passSecond = async () => {
  await writeNotificationCounts();
  await vi.advanceTimersByTimeAsync(1_000);
  await writeNotificationCounts();
};

test('a flood is one write a second, and every notification of it is counted', async () => {
  await passSecond();
  const counted = await countedBy(async () => {
    await passSecond();
    const first = await countCalls(() => countNotification('throttled'), [dynamo()]);
    expect(first.byCommand.PutItem).toBe(1);
    const flood = await countCalls(async () => {
      for (let n = 0; n < 500; n++) await countNotification(n % 2 ? 'throttled' : 'unauthorized');
    }, [dynamo()]);
    expect(flood.byCommand.PutItem ?? 0).toBe(0);
    const later = await countCalls(passSecond, [dynamo()]);
    expect(later.byCommand.PutItem).toBe(1);
  });
  expect(counted).toEqual({ throttled: 251, unauthorized: 250 });
});

test('what the store did not take is written later, once a second at most', async () => {
  const name = 'failing';
  const counted = await countedBy(async () => {
    await passSecond();
    let writes = 0;
    dynamo().middlewareStack.add(
      () => async () => {
        writes += 1;
        throw new Error('no store');
      },
      { step: 'initialize', name },
    );
    for (let n = 0; n < 100; n++) await countNotification('accepted');
    expect(writes).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(writes).toBe(2);
    dynamo().middlewareStack.remove(name);
    await passSecond();
  });
  expect(counted).toEqual({ accepted: 100 });
  expect((await outcomes()).accepted).toBe(100);
});
