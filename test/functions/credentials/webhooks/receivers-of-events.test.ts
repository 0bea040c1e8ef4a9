import { describe, expect, test, vi } from 'vitest';
import { integrations } from '../../../../functions/credentials/webhooks/domain/integrations.ts';
import { receiversOfATest } from '../../../shared/webhooks/receivers.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { ownTenant } from '../items/own-tenant.ts';
import { kindsOf, sentTo, typesSentTo, webhookStage } from './webhook-stage.ts';

const receiver = receiversOfATest();
const stage = webhookStage();
const FLAG = { enabled: true, shouldUseSubscriptionWebhookSettings: true };

/** A receiver for the organization, and one for its institute. */
async function both() {
  const [organization, institute] = [await receiver(), await receiver()];
  await stage.sendTo(organization);
  const sendInstituteTo = () => stage.setInstitute({ enabled: true, url: institute.url, authType: 'NoAuth' });
  const deliverAll = async () => {
    await stage.deliver();
    if (await stage.webhookId(stage.instituteId())) await stage.deliver(stage.instituteId());
  };
  return { organization, institute, sendInstituteTo, deliverAll };
}

/** The events that are recorded for anybody about an item. */
const eventsAbout = async (id: string): Promise<number> =>
  (await everyItem('credentials')).filter(({ sk, subject }) => sk?.S === 'EVENT' && subject?.S?.includes(id))
    .length;

describe('the events of an organization', () => {
  test('are those of degrees, emissions, requests, transcripts, curriculums and restamps', async () => {
    vi.stubEnv('Webhooks__RestampEvents', 'true');
    expect(kindsOf('organization')).toEqual([
      ...['degree', 'emission', 'registration', 'transcript', 'curriculum', 'restamp'],
    ]);
    const { organization, institute, sendInstituteTo, deliverAll } = await both();
    await sendInstituteTo();
    for (const kind of kindsOf('organization')) await stage.create(kind);
    await deliverAll();
    expect(typesSentTo(organization).toSorted()).toEqual([
      ...['AcademicTranscriptCreated', 'CurriculumCreated', 'DegreeCreated', 'EmissionCreated'],
      ...['RegistrationCreated', 'RestampCreated'],
    ]);
    expect(institute.received).toEqual([]);
  });

  test('go to its own webhook and to no other organization’s', async () => {
    const { organization, deliverAll } = await both();
    const other = await ownTenant();
    const { id } = await stage.create('degree', {}, other);
    await deliverAll();
    expect(organization.received).toEqual([]);
    expect(await eventsAbout(id)).toBe(0);
  });
});

describe.each(kindsOf('institute'))('the events of an institute, such as those of a %s', (kind) => {
  test('go to its own webhook, and not to the organization’s', async () => {
    const { organization, institute, sendInstituteTo, deliverAll } = await both();
    await sendInstituteTo();
    const { id } = await stage.create(kind);
    await deliverAll();
    expect([organization.received.length, sentTo(institute).map(({ data }) => data.id)]).toEqual([0, [id]]);
  });

  test('go to the organization’s webhook with the flag, whatever the institute’s own is', async () => {
    const { organization, institute, deliverAll } = await both();
    for (const own of [
      { ...FLAG, url: institute.url, authType: 'NoAuth' },
      FLAG,
      { ...FLAG, enabled: false },
    ]) {
      await stage.setInstitute(own);
      await stage.create(kind);
    }
    await deliverAll();
    expect([organization.received.length, institute.received.length]).toEqual([3, 0]);
  });

  test('go nowhere without either: nothing is recorded', async () => {
    const { organization, institute } = await both();
    const never = await stage.create(kind);
    await stage.setInstitute({ enabled: false, url: institute.url, authType: 'NoAuth' });
    const disabled = await stage.create(kind);
    await stage.setInstitute(FLAG);
    await stage.set({ enabled: false });
    const neither = await stage.create(kind);
    for (const { id } of [never, disabled, neither]) expect(await eventsAbout(id)).toBe(0);
    expect([organization.received.length, institute.received.length]).toEqual([0, 0]);
  });
});

describe('an institute that changes where its events go', () => {
  test('from its own webhook to the organization’s: those that wait for its own stop', async () => {
    const { organization, institute, sendInstituteTo } = await both();
    await sendInstituteTo();
    const own = await stage.webhookId(stage.instituteId());
    await stage.create('inspectionFile');
    await stage.setInstitute(FLAG);
    await stage.deliver(stage.instituteId(), own);
    await stage.create('inspectionFile');
    await stage.deliver();
    expect([organization.received.length, institute.received.length]).toEqual([1, 0]);
    expect(await stage.deliveries(own)).toEqual([]);
  });

  test('from the organization’s webhook to its own: those that wait are given up, and say why', async () => {
    const { organization, institute, sendInstituteTo } = await both();
    await stage.setInstitute(FLAG);
    const { id } = await stage.create('inspectionFile');
    const degree = await stage.create('degree');
    await sendInstituteTo();
    await stage.deliver();
    expect(sentTo(organization).map(({ data }) => data.id)).toEqual([degree.id]);
    const ended = await stage.deliveries(await stage.webhookId());
    expect(ended.find(({ state }) => state === 'Exhausted')).toMatchObject({
      attempts: 0,
      last: {
        error: `The InspectionFile events of the inspectionFile ${id} do not go to this webhook any more.`,
      },
    });
    await stage.create('inspectionFile');
    await stage.deliver(stage.instituteId());
    expect(institute.received).toHaveLength(1);
  });

  // process 1  (has sent events of the institute)                    |--an event: for the organization
  // process 2         |--sets the flag--200--|
  test('elsewhere counts here for the next event', async () => {
    const { organization, institute, sendInstituteTo } = await both();
    await sendInstituteTo();
    const file = await stage.create('inspectionFile');
    await stage.deliver(stage.instituteId());
    const before = await integrations.get(stage.instituteId());
    if (!before) throw new Error('The integration was not kept.');
    await integrations.put({ ...before, ...FLAG });
    await stage.move(file, 'signed');
    await stage.deliver();
    expect(typesSentTo(organization)).toEqual(['InspectionFileSigned']);
    expect(typesSentTo(institute)).toEqual(['InspectionFileCreated']);
  });
});

describe('the events of restamps', () => {
  test('are sent only where Webhooks:RestampEvents says so', async () => {
    const { organization } = await both();
    const silent = await stage.create('restamp');
    expect(await eventsAbout(silent.id)).toBe(0);
    vi.stubEnv('Webhooks__RestampEvents', 'true');
    await stage.move(silent, 'applied');
    await stage.deliver();
    expect(typesSentTo(organization)).toEqual(['RestampApplied']);
  });

  test('that wait when it is switched off are given up', async () => {
    vi.stubEnv('Webhooks__RestampEvents', 'true');
    const { organization } = await both();
    await stage.create('restamp');
    vi.stubEnv('Webhooks__RestampEvents', 'false');
    await stage.deliver();
    expect(organization.received).toEqual([]);
    expect(await stage.deliveries(await stage.webhookId())).toMatchObject([{ state: 'Exhausted' }]);
  });
});
