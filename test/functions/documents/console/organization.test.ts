import { expect, onTestFinished, test, vi } from 'vitest';
import { webhooks } from '../../../../functions/documents/domain/document/webhook-engine.ts';
import { createOwnApplication } from '../../../../functions/documents/domain/members/applications.ts';
import { callerOf } from '../../../../functions/documents/domain/members/sessions.ts';
import {
  createWebhook,
  getOrganization,
} from '../../../../functions/documents/domain/webhooks/registrations.ts';
import { handler as listDocuments } from '../../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as inviteMember } from '../../../../functions/documents/endpoints/members/invite-member.ts';
import { handler as getPreferences } from '../../../../functions/documents/endpoints/organizations/get-preferences.ts';
import { handler as putPreferences } from '../../../../functions/documents/endpoints/organizations/update-preferences.ts';
import { dropAllCached } from '../../../../shared/store/cached.ts';
import { call } from '../../../requests/http-event.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { deliverDue } from '../../../shared/webhooks/deliver-due.ts';
import { someDocuments } from '../sample-documents.ts';
import { memberStage } from './member-stage.ts';

vi.stubEnv('Network__AllowPrivateAddresses', 'true');
vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');

const keyIn = (text: string): string =>
  /<code id="key">([^<]+)</.exec(text)?.[1]?.replace('&#124;', '|') ?? '';

test('a key of an application is shown once, is scoped to the organization and the role, and can be revoked', async () => {
  const { people, orgId } = await memberStage();
  const { Manager: manager } = people;
  const made = await manager.send('organization/applications/create', { name: '<b>ERP</b>', role: 'Reader' });
  const key = keyIn(made.text);
  expect(key).toMatch(/^[\w-]+\|[\w-]{43}$/);
  expect(made.text).not.toContain('<b>ERP');
  const listed = await manager.show('organization/applications');
  expect(listed.text).not.toContain(key.split('|')[1]);
  const headers = { 'X-API-Key': key };
  expect((await call(listDocuments, { headers })).status).toBe(200);
  const json = { name: 'Ana', email: 'ana@members.example', role: 'Owner' };
  expect((await call(inviteMember, { params: { orgId }, headers, json })).status).toBe(403);
  const [, path = ''] =
    /console\/(organization\/applications\/[\w-]+\/revoke\/[\w-]+)/.exec(listed.text) ?? [];
  expect((await manager.send(path)).status).toBe(303);
  dropAllCached();
  expect((await call(listDocuments, { headers })).status).toBe(401);
});

// Escalation: a key that could make mightier keys would be the mightiest.
test('nobody makes a key that may do more than they may', async () => {
  const { orgId, add } = await memberStage();
  const caller = callerOf({ id: orgId }, await add({ role: 'Member' }));
  await expect(createOwnApplication(caller, orgId, { name: 'ERP', role: 'Manager' })).rejects.toMatchObject({
    code: 'Forbidden',
  });
});

test('a webhook is added, changed, tried and deleted, and its token is on no page', async () => {
  const { people, caller, orgId } = await memberStage();
  const { Owner: owner } = people;
  const registered = async () => (await getOrganization(caller, orgId)).webhooks;
  const sent = { url: 'http://127.0.0.1:9/a', authType: 'Bearer', token: 'a-secret-token', secret: '' };
  expect((await owner.send('organization/webhooks/add', sent)).status).toBe(303);
  const id = (await registered())[0]?.id ?? '';
  const changed = { ...sent, url: 'http://127.0.0.1:9/b' };
  expect((await owner.send(`organization/webhooks/${id}/change`, changed)).status).toBe(303);
  expect(await registered()).toMatchObject([{ url: changed.url }]);
  const tested = await owner.send(`organization/webhooks/${id}/test`);
  expect(tested.headers.location).toContain(`${id}/deliveries?done=tested`);
  const pages = [
    await owner.show('organization/webhooks'),
    await owner.show(`organization/webhooks/${id}`),
    await owner.show(`organization/webhooks/${id}/deliveries`),
    await owner.send('organization/webhooks/add', { ...sent, url: 'javascript:alert(1)' }),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 422]);
  expect(pages.map(({ text }) => text).join()).not.toContain('a-secret-token');
  expect(pages[2]?.text).toContain('WebhookTest');
  expect((await owner.send(`organization/webhooks/${id}/remove`)).status).toBe(303);
  expect(await registered()).toEqual([]);
});

test('the deliveries of a webhook are shown by their state, each with what was sent and answered, and sent again', async () => {
  const { people, caller, orgId } = await memberStage();
  // What a hostile receiver would answer to whoever reads its answers.
  const hostile = '<script>document.title="taken"</script>';
  let status = 503;
  const receiver = await startServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(hostile));
  });
  onTestFinished(() => receiver.stop());
  const { id } = await createWebhook(caller, orgId, { url: receiver.url, authType: 'NoAuth' });
  const { show, send } = people.Manager;
  const list = async (query: Record<string, string> = {}) =>
    (await show(`organization/webhooks/${id}/deliveries`, query)).text;
  await send(`organization/webhooks/${id}/test`);
  await deliverDue(webhooks, id);
  const failed = await list({ state: 'Exhausted' });
  expect(failed).toMatch(/WebhookTest[\s\S]*HTTP 503/);
  expect(await list({ state: 'Confirmed' })).toContain('No delivery is in this state.');
  const [path = ''] = /organization\/webhooks\/[\w-]+\/deliveries\/[\w-]+/.exec(failed) ?? [];
  const { text } = await show(path);
  expect(text).toContain('&lt;script&gt;document.title=&quot;taken&quot;');
  expect(text).toContain('&quot;type&quot;: &quot;WebhookTest&quot;');
  expect(text).not.toContain(hostile);

  status = 200;
  const replayed = await send(path.replace('/deliveries/', '/replay/'));
  expect(replayed.headers.location).toMatch(new RegExp(`${path}\\?done=replayed$`));
  await deliverDue(webhooks, id);
  const again = (await show(path)).text;
  expect(again).toMatch(/HTTP 503[\s\S]*<li value="2">[\s\S]*HTTP 200/);
  expect(await list({ state: 'Confirmed' })).toContain('WebhookTest');
});

test('the name and the color that signers see are changed, and wrong ones are refused', async () => {
  const { people, caller, orgId } = await memberStage();
  const send = (fields: Record<string, string>) => people.Manager.send('organization/branding', fields);
  expect((await send({ displayName: 'ACME', color: '#1F4F82' })).status).toBe(303);
  expect(await getOrganization(caller, orgId)).toMatchObject({
    branding: { displayName: 'ACME', color: '#1f4f82' },
  });
  expect((await send({ displayName: 'ACME', color: 'red' })).status).toBe(422);
  expect((await send({ displayName: 'A'.repeat(1_000), color: '' })).status).toBe(422);
});

test('whoever is a member of two organizations goes on for the other, and for no third', async () => {
  const [one, other, third] = [await memberStage(), await memberStage(), await memberStage()];
  const { email } = await one.add();
  await other.add({ email });
  const visitor = await one.enter(email);
  for (const { orgId } of [one, other]) {
    expect((await visitor.send('organization/switch', { organization: orgId })).status).toBe(303);
    expect((await visitor.show('organization')).text).toContain(`value="${orgId}" selected`);
  }
  expect((await visitor.send('organization/switch', { organization: third.orgId })).status).toBe(404);
});

test('usage of the month counts what the organization did', async () => {
  const { people } = await memberStage();
  const { status, text } = await people.Owner.show('organization/usage');
  expect([status, text.includes(new Date().getUTCFullYear().toString())]).toEqual([200, true]);
});

test('language, sentence and ways to sign are chosen by page and by API alike', async () => {
  const { people, orgId, key } = await memberStage();
  const { Manager: manager } = people;
  const request = { params: { orgId }, headers: { 'X-API-Key': key } };
  const read = async () => (await call(getPreferences, request)).json();
  const all = { cloud: true, token: true, electronic: true };
  expect(await read()).toEqual({ language: null, mailSentence: null, signingWays: all });
  const fields = { language: 'pt-BR', mailSentence: '<b>Dúvidas?</b>', token: 'true' };
  expect((await manager.send('organization/preferences', fields)).status).toBe(303);
  const chosen = { cloud: false, token: true, electronic: false };
  expect(await read()).toEqual({ language: 'pt-BR', mailSentence: '<b>Dúvidas?</b>', signingWays: chosen });
  expect((await manager.show('organization')).text).toContain('&lt;b&gt;Dúvidas?&lt;/b&gt;');
  const long = await manager.send('organization/preferences', { ...fields, mailSentence: 'x'.repeat(501) });
  expect([long.status, long.text]).toEqual([422, expect.stringContaining('up to 500 characters')]);
  const electronic = {
    type: 'Signer',
    user: { name: 'Ana', email: 'a@x.example' },
    allowElectronicSignature: true,
  };
  await expect(someDocuments(orgId, { flowActions: [electronic] })).rejects.toMatchObject({
    code: 'ElectronicSignatureImpossible',
    details: { reason: expect.stringContaining('without a certificate') },
  });
  const put = await call(putPreferences, { ...request, method: 'PUT', json: { language: 'fr' } });
  expect(put.status).toBe(400);
  await call(putPreferences, { ...request, method: 'PUT', json: {} });
  expect(await read()).toEqual({ language: null, mailSentence: null, signingWays: all });
});
