import { expect, test } from 'vitest';
import { countNotification } from '../../../../functions/batch/external-signer/domain/notifications/notification-counts.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { countCalls } from '../../../measure/calls.ts';
import { notificationStage } from './notification-stage.ts';

const { outcomes, countedBy } = notificationStage();

test('a flood is one write after the other, and every notification of it is counted', async () => {
  const counted = await countedBy(async () => {
    const flood = await countCalls(async () => {
      const first = countNotification('throttled');
      const others = Array.from({ length: 500 }, (_, n) =>
        countNotification(n % 2 ? 'throttled' : 'unauthorized'),
      );
      await Promise.all([first, ...others]);
    }, [dynamo()]);
    expect(flood.byCommand.PutItem).toBeLessThanOrEqual(2);
  });
  expect(counted).toEqual({ throttled: 251, unauthorized: 250 });
});

test('what the store did not take is counted with the next notification', async () => {
  const name = 'failing';
  const counted = await countedBy(async () => {
    dynamo().middlewareStack.add(
      () => async () => {
        throw new Error('no store');
      },
      { step: 'initialize', name },
    );
    const failed = await Promise.allSettled(Array.from({ length: 99 }, () => countNotification('accepted')));
    expect(failed[0]).toMatchObject({ status: 'rejected' });
    dynamo().middlewareStack.remove(name);
    await countNotification('accepted');
  });
  expect(counted).toEqual({ accepted: 100 });
  expect((await outcomes()).accepted).toBe(100);
});
