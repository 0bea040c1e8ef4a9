import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { storageOf } from '../../../../../functions/documents/domain/billing/usage.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { webhooks } from '../../../../../functions/documents/domain/document/webhook-engine.ts';
import { createFolder } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { folders } from '../../../../../functions/documents/domain/places/folder.ts';
import { organizations } from '../../../../../functions/documents/domain/places/organization.ts';
import {
  createOrganization,
  eachOrganization,
} from '../../../../../functions/documents/domain/places/organization-roster.ts';
import { emptyOrganization } from '../../../../../functions/documents/domain/removal/delete-organization.ts';
import { handler as create } from '../../../../../functions/documents/endpoints/organizations/create-organization.ts';
import { handler as remove } from '../../../../../functions/documents/endpoints/organizations/delete-organization.ts';
import { handler as getOrganization } from '../../../../../functions/documents/endpoints/organizations/get-organization.ts';
import { GUEST_KEY, SANDBOX_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../../infra/local/seed/seed.ts';
import { createApplication, issueKey } from '../../../../../shared/access/administration.ts';
import { registrationsOf } from '../../../../../shared/webhooks/registrations/lookup.ts';
import { removeAllWebhooks } from '../../../../../shared/webhooks/registrations/registrations.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { ownOrganization } from '../../own-organization.ts';
import { callerFor, manyLike, someDocuments } from '../../sample-documents.ts';
import { commitBefore } from '../../stage/commit-before.ts';
import { recordedEventsOf, registerSilentWebhook } from '../../stage/recorded-events.ts';
import { runTasks, runTasksAt } from '../../stage/run-tasks.ts';

const HOUR_MS = 3_600_000;
const ACME = {
  name: 'Acme',
  identifier: '12.ABC.345/01DE-35',
  owner: { id: 'maria', name: 'Maria da Silva' },
};

let orgId: string;
let key: string;
await forFile(ownStores());
await seedSandbox();
beforeEach(async () => {
  await runTasks();
  ({ orgId, key } = await ownOrganization());
});

const post = (json: unknown, by = SANDBOX_KEY) => call(create, { json, headers: { 'X-API-Key': by } });
const deleted = (id: string, by = SANDBOX_KEY) =>
  call(remove, { method: 'DELETE', params: { orgId: id }, headers: { 'X-API-Key': by } });
const left = async (): Promise<number> =>
  (await documentList({ organizationId: orgId }).slice({ offset: 0, limit: 1 })).total;
const enrolled = async (): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of eachOrganization()) ids.push(id);
  return ids;
};

describe('POST /api/admin/organizations', () => {
  test('makes an organization with a CNPJ of any kind, and puts it on the roster', async () => {
    const { status, json } = await post(ACME);
    expect(status).toBe(200);
    const { id } = json() as { id: string };
    expect(json()).toEqual({ id });
    const kept = { name: 'Acme', identifier: '12ABC34501DE35', owner: ACME.owner, state: 'Active' };
    expect(await organizations.get(id)).toMatchObject(kept);
    expect(await enrolled()).toContain(id);
  });

  test('makes a personal organization of one with no identifier', async () => {
    const { id } = (await post({ ...ACME, identifier: null })).json() as { id: string };
    expect(await organizations.get(id)).toMatchObject({ identifier: null });
  });

  test('keeps whom its invoices are made out to, what is left out as null', async () => {
    const company = {
      name: 'Acme SA',
      identifier: '11.222.333/0001-81',
      stateRegistration: '123',
      municipalRegistrationExempt: true,
    };
    const billingInformation = { type: 'Company', company, email: 'nf@acme.example', cityCode: '3550308' };
    const { id } = (await post({ ...ACME, billingInformation })).json() as { id: string };
    expect((await organizations.get(id))?.billingInformation).toEqual({
      contactName: null,
      email: 'nf@acme.example',
      phone: null,
      type: 'Company',
      individual: null,
      company: {
        name: 'Acme SA',
        identifier: '11222333000181',
        stateRegistration: '123',
        stateRegistrationExempt: false,
        municipalRegistration: null,
        municipalRegistrationExempt: true,
      },
      streetAddress: null,
      addressNumber: null,
      additionalAddressInfo: null,
      neighborhood: null,
      zipCode: null,
      city: null,
      state: null,
      cityCode: '3550308',
    });
  });

  test.each([
    ['identifier', { ...ACME, identifier: '11222333000182' }],
    ['name', { ...ACME, name: '' }],
    ['owner', { name: 'Acme' }],
    ['billingInformation.company', { ...ACME, billingInformation: { type: 'Company' } }],
    ['billingInformation.individual', { ...ACME, billingInformation: { type: 'Individual' } }],
    [
      'billingInformation.cityCode',
      {
        ...ACME,
        billingInformation: {
          type: 'Individual',
          individual: { name: 'M', identifier: '52998224725' },
          cityCode: '12',
        },
      },
    ],
  ])('answers 400 naming %s', async (field, body) => {
    const { status, json } = await post(body);
    expect([status, json()]).toMatchObject([400, { code: 'InvalidRequest', details: { field } }]);
  });

  test('is refused to a key whose application lacks the permission admin', async () => {
    for (const by of [GUEST_KEY, key]) {
      expect((await post(ACME, by)).json()).toMatchObject({
        code: 'Forbidden',
        details: { permission: 'admin' },
      });
      expect((await deleted(orgId, by)).status).toBe(403);
    }
    expect(await organizations.get(orgId)).toMatchObject({ state: 'Active' });
  });

  test('is open to one that was granted admin alone', async () => {
    const name = randomUUID();
    await createApplication('documents', { name, permissions: ['admin'] });
    expect((await post(ACME, (await issueKey('documents', name)).text)).status).toBe(200);
  });
});

test('the roster of organizations has every organization, however many, the seeded ones too', async () => {
  const made: string[] = [];
  for (let n = 0; n < 120; n++)
    made.push((await createOrganization({ ...ACME, name: `${n}` }, Date.now())).id);
  const all = await enrolled();
  expect(all).toEqual(expect.arrayContaining([...made, '11111111-1111-4111-8111-111111111111']));
  expect(new Set(all).size).toBe(all.length);
});

describe('DELETE /api/admin/organizations/{orgId}', () => {
  test('answers 204, and from then on the organization does not exist to its keys', async () => {
    await createFolder(callerFor(orgId), { name: 'Ours', parentId: null }, Date.now());
    expect((await deleted(orgId)).status).toBe(204);
    const { status } = await call(getOrganization, { params: { orgId }, headers: { 'X-API-Key': key } });
    expect(status).toBe(404);
    const late = createFolder(callerFor(orgId), { name: 'Late', parentId: null }, Date.now());
    await expect(late).rejects.toMatchObject({ code: 'OrganizationNotFound' });
    await expect(someDocuments(orgId)).rejects.toMatchObject({ code: 'OrganizationNotFound' });
    expect((await deleted(orgId)).json()).toMatchObject({ code: 'OrganizationNotFound', resourceId: orgId });
  });

  test('deletes its documents and folders in the background', async () => {
    const outer = await createFolder(callerFor(orgId), { name: 'Outer', parentId: null }, Date.now());
    const inner = await createFolder(callerFor(orgId), { name: 'Inner', parentId: outer.id }, Date.now());
    const [sample = ''] = await someDocuments(orgId, { folderId: inner.id });
    await manyLike(sample, 105, (n) => ({ folderId: n % 2 ? null : outer.id }));
    await deleted(orgId);
    await runTasks();
    expect(await left()).toBe(0);
    expect(await documentItems.get(sample)).toBeUndefined();
    expect(await folders.getMany([outer.id, inner.id])).toEqual([]);
  });

  test('tells of 100 documents at most in one event, DeletedByOrganization', async () => {
    await registerSilentWebhook(orgId);
    const [sample = ''] = await someDocuments(orgId);
    await manyLike(sample, 104);
    await deleted(orgId);
    await runTasks();
    const told = await deletionsTold();
    expect(told).toHaveLength(1);
    expect(told[0]?.data.action).toBe('DeletedByOrganization');
    expect(told[0]?.data.documents).toHaveLength(100);
  });

  // A caller that found the organization open creates a document:
  //
  //   create  |--looks: Active-------------------- makes a document --|
  //   delete       |--Deleting--|--finds nothing--|                     16 minutes later: |--last look--|--Deleted
  test('looks again once nobody can be at work who found it open, and frees what was stored', async () => {
    const [first = ''] = await someDocuments(orgId);
    await deleted(orgId);
    await runTasks();
    await manyLikeAfterwards(first);
    expect(await organizations.get(orgId)).toMatchObject({
      state: 'Deleting',
      deletedAtMs: expect.any(Number),
    });
    await runTasksAt(Date.now() + 15 * 60_000);
    expect(await left()).toBe(2);
    expect(await runTasksAt(Date.now() + 17 * 60_000)).toContain('deleteOrganization');
    expect(await left()).toBe(0);
    await emptyOrganization(orgId, Date.now() + HOUR_MS);
    expect(await organizations.get(orgId)).toMatchObject({ state: 'Deleted' });
    expect(await storageOf(orgId)).toBe(0);
    expect(await enrolled()).toContain(orgId);
  });

  test('keeps its webhooks until they have been told, then removes them with their tokens', async () => {
    await registerSilentWebhook(orgId);
    await someDocuments(orgId);
    await deleted(orgId);
    await runTasks();
    await emptyOrganization(orgId, Date.now() + HOUR_MS);
    expect(await organizations.get(orgId)).toMatchObject({ state: 'Deleting' });
    expect((await registrationsOf(webhooks).get(orgId))?.webhooks).toHaveLength(1);
    await removeAllWebhooks(webhooks, orgId);
    await emptyOrganization(orgId, Date.now() + HOUR_MS);
    expect(await organizations.get(orgId)).toMatchObject({ state: 'Deleted' });
    expect((await registrationsOf(webhooks).get(orgId))?.webhooks).toEqual([]);
  });

  test('happens once when several ask at the same moment', async () => {
    await registerSilentWebhook(orgId);
    await someDocuments(orgId);
    const answers = await Promise.all([deleted(orgId), deleted(orgId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    await Promise.all([emptyOrganization(orgId, Date.now()), emptyOrganization(orgId, Date.now())]);
    await runTasks();
    expect(await deletionsTold()).toHaveLength(1);
  });

  // A caller that found the organization open creates a document, whose event must be recorded too:
  //
  //   create  |--looks: Active-------------------- makes a document --|
  //   delete       |--Deleting--|--tells of what there is, empties--|   last look: |--tells of it--empties--|
  test('tells once of every document that it deletes, one made at the same moment too', async () => {
    await registerSilentWebhook(orgId);
    const [first = ''] = await someDocuments(orgId);
    await deleted(orgId);
    await runTasks();
    const late = await manyLikeAfterwards(first);
    await emptyOrganization(orgId, Date.now() + HOUR_MS);
    await emptyOrganization(orgId, Date.now() + HOUR_MS);
    const told = (await deletionsTold()).map(({ data }) =>
      (data.documents as { id: string }[]).map(({ id }) => id),
    );
    expect(told.map((ids) => ids.sort())).toEqual([[first], late.sort()]);
  });

  test('tells of a document once even if the task is killed between telling and deleting', async () => {
    await registerSilentWebhook(orgId);
    const [first = ''] = await someDocuments(orgId);
    await deleted(orgId);
    commitBefore(`DOCUMENT#${first}`, () => Promise.reject(new Error('killed')));
    await expect(emptyOrganization(orgId, Date.now())).rejects.toThrow('killed');
    expect([await left(), (await deletionsTold()).length]).toEqual([1, 1]);
    await emptyOrganization(orgId, Date.now());
    expect([await left(), (await deletionsTold()).length]).toEqual([0, 1]);
  });

  test('leaves no document of a call that was under way', async () => {
    const made = someDocuments(orgId);
    await Promise.allSettled([made, deleted(orgId)]);
    await runTasks();
    await emptyOrganization(orgId, Date.now() + HOUR_MS);
    expect(await left()).toBe(0);
  });
});

const deletionsTold = async () =>
  (await recordedEventsOf(orgId)).filter(({ type }) => type === 'DocumentDeleted');

/** The write of a caller that read the organization before it was deleted. */
async function manyLikeAfterwards(gone: string): Promise<string[]> {
  const other = await ownOrganization();
  const [sample = ''] = await someDocuments(other.orgId);
  expect(await documentItems.get(gone)).toBeUndefined();
  const made = await manyLike(sample, 2, () => ({ organizationId: orgId }));
  expect(await left()).toBe(2);
  return made;
}
