import { describe, expect, test, vi } from 'vitest';
import { handler as resendList } from '../../../../functions/credentials/cancellation-lists/endpoints/resend-cancellation-list.ts';
import { handler as resendDegree } from '../../../../functions/credentials/degrees/endpoints/resend-degree.ts';
import { handler as resendEmission } from '../../../../functions/credentials/emissions/endpoints/resend-emission.ts';
import { handler as resendRestamp } from '../../../../functions/credentials/restamps/endpoints/resend-restamp.ts';
import { handler as resendTranscript } from '../../../../functions/credentials/transcripts/endpoints/resend-transcript.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { receiversOfATest } from '../../../shared/webhooks/receivers.ts';
import { sentTo, typesSentTo, webhookStage } from './webhook-stage.ts';

const receiver = receiversOfATest();
const stage = webhookStage();

const resend = (handler: Endpoint, id: string, headers = stage.headers) =>
  call(handler, { method: 'POST', params: { id }, headers });

/** A receiver that has had everything so far. */
async function upToDate() {
  const inbox = await receiver();
  await stage.sendTo(inbox);
  return {
    inbox,
    /** The types that come from now on. */
    async since(work: () => Promise<unknown>): Promise<string[]> {
      await stage.deliver();
      const before = inbox.received.length;
      await work();
      await stage.deliver();
      return typesSentTo(inbox).slice(before);
    },
  };
}

describe('POST …/{id}/webhook', () => {
  test('sends the present state of an item again, as an event of its own', async () => {
    const { inbox, since } = await upToDate();
    const degree = await stage.create('degree');
    for (const event of ['concluded', 'canceledTemporarily', 'restored']) await stage.move(degree, event);
    const types = await since(async () => {
      const { status, json } = await resend(resendDegree, degree.id);
      expect([status, json()]).toEqual([202, { types: ['DegreeRestored'] }]);
    });
    expect(types).toEqual(['DegreeRestored']);
    expect(sentTo(inbox).at(-1)?.data).toMatchObject({ id: degree.id, status: 'Concluded' });
    expect(new Set(inbox.ids()).size).toBe(inbox.received.length);
  });

  test('sends a restored transcript as AcademicTranscriptConcluded', async () => {
    const { since } = await upToDate();
    const transcript = await stage.create('transcript');
    for (const event of ['concluded', 'canceledTemporarily', 'restored']) await stage.move(transcript, event);
    expect(await since(() => resend(resendTranscript, transcript.id))).toEqual([
      'AcademicTranscriptConcluded',
    ]);
  });

  test('sends both families of an emission, and no type that does not exist', async () => {
    const { since } = await upToDate();
    const emission = await stage.create('emission');
    await stage.move(emission, 'signed');
    await stage.moveRegistration(emission, 'registered', {});
    await stage.moveRegistration(emission, 'signed', {});
    const types = await since(() => resend(resendEmission, emission.id));
    expect(types.toSorted()).toEqual(['EmissionRegistrationRegistered', 'EmissionSigned']);
  });

  test('sends what the item is when it is sent, as every event', async () => {
    const { since } = await upToDate();
    const degree = await stage.create('degree');
    const types = await since(async () => {
      expect((await resend(resendDegree, degree.id)).json()).toEqual({ types: ['DegreeCreated'] });
      await stage.move(degree, 'concluded');
    });
    expect(types).toEqual(['DegreeConcluded', 'DegreeConcluded']);
  });

  test('sends the events of an institute to whoever receives them', async () => {
    const inbox = await receiver();
    await stage.setInstitute({ enabled: true, url: inbox.url, authType: 'NoAuth' });
    const { id: itemId } = await stage.create('cancellationList');
    await stage.deliver(stage.instituteId());
    const params = { id: stage.instituteId(), itemId };
    const answer = await call(resendList, { method: 'POST', params, headers: stage.headers });
    expect([answer.status, answer.json()]).toEqual([202, { types: ['CancellationListCreated'] }]);
    await stage.deliver(stage.instituteId());
    expect(typesSentTo(inbox)).toEqual(['CancellationListCreated', 'CancellationListCreated']);
  });

  test('is refused where no enabled webhook receives the events', async () => {
    const notConfigured = [422, { code: 'WebhookNotConfigured', message: expect.any(String) }];
    const { id } = await stage.create('degree');
    const never = await resend(resendDegree, id);
    expect([never.status, never.json()]).toMatchObject(notConfigured);

    const { inbox } = await upToDate();
    const restamp = await stage.create('restamp');
    const notSent = await resend(resendRestamp, restamp.id);
    expect([notSent.status, notSent.json()]).toMatchObject(notConfigured);
    vi.stubEnv('Webhooks__RestampEvents', 'true');
    expect((await resend(resendRestamp, restamp.id)).status).toBe(202);

    await stage.set({ enabled: false, url: inbox.url, authType: 'NoAuth' });
    const disabled = await resend(resendDegree, id);
    expect([disabled.status, disabled.json()]).toMatchObject(notConfigured);
  });

  test('records each event once or not at all, wherever its process is killed', async () => {
    await upToDate();
    const { id } = await stage.create('degree');
    const webhookId = await stage.webhookId();
    for (let isKilled = true, n = 1; isKilled; n++) {
      const before = (await stage.deliveries(webhookId)).length;
      isKilled = await killedAt(n, 'after', () => resend(resendDegree, id));
      expect([n, (await stage.deliveries(webhookId)).length]).toEqual([n, before + 1]);
    }
  });
});
