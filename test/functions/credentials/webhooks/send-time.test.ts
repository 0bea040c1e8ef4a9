import { describe, expect, test, vi } from 'vitest';
import { createDegree } from '../../../../functions/credentials/degrees/domain/degrees.ts';
import { items } from '../../../../functions/credentials/items/domain/item.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { countCalls } from '../../../measure/calls.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { answering } from '../../../shared/webhooks/a-receiver.ts';
import { receiversOfATest } from '../../../shared/webhooks/receivers.ts';
import { STUDIES, signed, stored } from '../items/own-items.ts';
import { sentTo, typesSentTo, webhookStage } from './webhook-stage.ts';

const receiver = receiversOfATest();
const stage = webhookStage();
const HOUR_MS = 3_600_000;

describe('an event is sent as its item is then', () => {
  // item      Created --- Concluded --- CanceledTemporarily
  // events    DegreeCreated  DegreeConcluded  DegreeCanceledTemporarily
  // sent                                        three times: what it is now
  test('when changes are faster than deliveries: the type repeats, and states between are left out', async () => {
    const inbox = await receiver();
    await stage.sendTo(inbox);
    const degree = await stage.create('degree');
    await stage.move(degree, 'concluded');
    await stage.move(degree, 'canceledTemporarily', { reason: 'An appeal' });
    await stage.deliver();
    expect(typesSentTo(inbox)).toEqual(Array(3).fill('DegreeCanceledTemporarily'));
    for (const { data } of sentTo(inbox))
      expect(data).toMatchObject({ id: degree.id, status: 'CanceledTemporarily', reason: 'An appeal' });
    expect(new Set(inbox.ids()).size).toBe(3);
    const ended = await stage.deliveries(await stage.webhookId());
    expect(ended.map(({ state, type }) => [state, type])).toEqual(
      Array(3).fill(['Confirmed', 'DegreeCanceledTemporarily']),
    );
  });

  test('when it changes during a delivery: the next one has the change', async () => {
    const inbox = await receiver(async (_, response) => {
      if (inbox.received.length === 1) await stage.move(degree, 'concluded');
      response.end();
    });
    await stage.sendTo(inbox);
    const degree = await stage.create('degree');
    await stage.deliver();
    await stage.deliver();
    expect(typesSentTo(inbox)).toEqual(['DegreeCreated', 'DegreeConcluded']);
  });

  test('when the receiver was down for a while: what it is by then, under the same webhook-id', async () => {
    let isDown = true;
    const inbox = await receiver((_, response) => response.writeHead(isDown ? 503 : 204).end());
    await stage.sendTo(inbox);
    const degree = await stage.create('degree');
    await stage.deliver();
    await stage.move(degree, 'concluded');
    stage.laterMs = HOUR_MS;
    await stage.deliver();
    await stage.move(degree, 'canceled', { reason: 'Wrong', cancellationReason: 'Erro de Fato' });
    isDown = false;
    stage.laterMs = 2 * HOUR_MS;
    await stage.deliver();
    const created = inbox.ids()[0] ?? '';
    const ofCreated = sentTo(inbox).filter((_, n) => inbox.ids()[n] === created);
    expect(ofCreated.map(({ type }) => type)).toEqual(['DegreeCreated', 'DegreeConcluded', 'DegreeCanceled']);
    const ended = await stage.deliveries(await stage.webhookId());
    expect(ended.map(({ state, type }) => [state, type])).toEqual(
      Array(3).fill(['Confirmed', 'DegreeCanceled']),
    );
  });
});

describe('the latest event of an item', () => {
  test('is told twice for a transcript that is created and signed before the first is sent', async () => {
    const inbox = await receiver();
    await stage.sendTo(inbox);
    const { caller, institute } = stage.tenant;
    const degree = await createDegree(
      caller,
      { ...STUDIES, instituteId: institute.id, academicTranscript: { type: 'Final' } },
      Date.now(),
    );
    await signed(await stored({ kind: 'transcript', id: degree.data.transcriptId ?? '' }));
    await stage.deliver();
    expect(typesSentTo(inbox).toSorted()).toEqual([
      'AcademicTranscriptConcluded',
      'AcademicTranscriptConcluded',
      'DegreeCreated',
    ]);
  });

  // The registrar's request is registered and then signed; there is no type EmissionRegistrationSigned.
  test('is the latest that has a type: one that is never sent does not hide the one before', async () => {
    const inbox = await receiver();
    await stage.sendTo(inbox);
    const emission = await stage.create('emission');
    await stage.deliver();
    await stage.moveRegistration(emission, 'registered', { registrationStatus: 'Registered' });
    await stage.moveRegistration(emission, 'signed', { registrationStatus: 'Signed' });
    await stage.deliver();
    expect(typesSentTo(inbox)).toEqual(['EmissionCreated', 'EmissionRegistrationRegistered']);
    expect(sentTo(inbox)[1]?.data).toMatchObject({ registrationStatus: 'Signed' });
  });

  test('is one for each family: an emission’s own events and those of its registration', async () => {
    const inbox = await receiver();
    await stage.sendTo(inbox);
    const emission = await stage.create('emission');
    await stage.move(emission, 'signed');
    await stage.moveRegistration(emission, 'accepted', { registrationStatus: 'Accepted' });
    await stage.deliver();
    expect(typesSentTo(inbox).toSorted()).toEqual([
      'EmissionRegistrationAccepted',
      'EmissionSigned',
      'EmissionSigned',
    ]);
  });
});

describe('a subject that is deleted', () => {
  test('is not sent: its deliveries are given up, and say why', async () => {
    const inbox = await receiver();
    await stage.sendTo(inbox);
    const curriculum = await stage.create('curriculum');
    await items.delete(await stored(curriculum));
    await stage.deliver();
    expect(inbox.received).toEqual([]);
    expect(await stage.deliveries(await stage.webhookId())).toMatchObject([
      {
        state: 'Exhausted',
        attempts: 0,
        last: { error: `The curriculum ${curriculum.id} does not exist any more.` },
      },
    ]);
  });

  test('between two attempts is not sent again', async () => {
    const inbox = await receiver(answering(500));
    await stage.sendTo(inbox);
    const curriculum = await stage.create('curriculum');
    await stage.deliver();
    await items.delete(await stored(curriculum));
    stage.laterMs = HOUR_MS;
    await stage.deliver();
    expect(inbox.received).toHaveLength(1);
    expect(await stage.deliveries(await stage.webhookId())).toMatchObject([
      { state: 'Exhausted', attempts: 1 },
    ]);
  });
});

test('a store that does not answer when items are read is a failed attempt, and the delivery is made later', async () => {
  const inbox = await receiver();
  await stage.sendTo(inbox);
  const { id } = await stage.create('degree');
  const { send } = dynamo();
  const spy = vi
    .spyOn(dynamo(), 'send')
    .mockImplementation((command: unknown) =>
      JSON.stringify((command as { input: unknown }).input).includes(`ITEM#degree#${id}`)
        ? Promise.reject(new Error('no answer'))
        : Reflect.apply(send, dynamo(), [command]),
    );
  const { lines } = await logOf(() => stage.deliver());
  spy.mockRestore();
  expect(lines).toMatchObject([{ level: 'WARN', error: { message: 'no answer' } }]);
  expect(await stage.deliveries(await stage.webhookId())).toMatchObject([{ state: 'Pending', attempts: 1 }]);
  stage.laterMs = HOUR_MS;
  await stage.deliver();
  expect(typesSentTo(inbox)).toEqual(['DegreeCreated']);
});

test('the deliveries of a busy organization are read in groups with their items: at most half as many requests as deliveries', async () => {
  const inbox = await receiver();
  await stage.sendTo(inbox);
  const count = 100;
  for (let n = 0; n < count; n += 10)
    await Promise.all(
      Array.from({ length: 10 }, () =>
        retryOnConflict(() => stage.create('curriculum'), { mayCreate: true }),
      ),
    );
  const { byCommand } = await countCalls(() => stage.deliver());
  expect(inbox.received).toHaveLength(count);
  // Each delivery is read once, its item once more, and then its webhook: as many as have attempts under way, by one
  // request.
  expect(byCommand.BatchGetItem).toBeLessThanOrEqual(count / 2);
  expect(byCommand.GetItem ?? 0).toBeLessThanOrEqual(5);
});
