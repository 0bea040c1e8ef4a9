import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { SECTIONS } from '../../../../functions/credentials/console/routes.ts';
import { handler as listInstitutes } from '../../../../functions/credentials/endpoints/institutes/list-institutes.ts';
import { handler as setSigners } from '../../../../functions/credentials/endpoints/institutes/set-signers.ts';
import { handler as changeMember } from '../../../../functions/credentials/endpoints/members/change-member.ts';
import { handler as inviteMember } from '../../../../functions/credentials/endpoints/members/invite-member.ts';
import { handler as listMembers } from '../../../../functions/credentials/endpoints/members/list-members.ts';
import { handler as removeMember } from '../../../../functions/credentials/endpoints/members/remove-member.ts';
import { institutes } from '../../../../functions/credentials/tenants/domain/organization.ts';
import { getIntegration } from '../../../../functions/credentials/webhooks/domain/configure.ts';
import { handler as sendMail } from '../../../../functions/credentials/workers/send-mail.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import { findRoute } from '../../../../shared/console/routes.ts';
import { MAIL_QUEUE } from '../../../../shared/mail/queue.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { startSmtpServer } from '../../../servers/smtp-server.ts';
import { drainQueue } from '../../drain-queue.ts';
import { ownOrganization } from '../items/own-tenant.ts';
import { atLogin, memberStage, sessionOf, visitorWith } from './member-stage.ts';

const smtp = await forFile(startSmtpServer());
vi.stubEnv('Network__AllowPrivateAddresses', 'true');
vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');

const MEMBERS = 'organization/members';
const FIELDS = { name: 'Caio', email: 'caio@members.example', identifier: '', role: 'Reader' };

type Shown = { readonly id: string; readonly name: string };
const idOf = ({ json }: { readonly json: () => unknown }): string => (json() as Shown).id;

describe('members', () => {
  test('are invited by a form, log in by the link of the mail, and are logged out when removed', async () => {
    const { people } = await memberStage();
    const email = `${randomUUID()}@members.example`;
    const { headers } = await people.Administrador.send(`${MEMBERS}/invite`, { ...FIELDS, email });
    expect(headers.location).toBe(`/credentials/console/${MEMBERS}?done=invited`);
    await drainQueue('credentials', MAIL_QUEUE, sendMail);
    const mail = smtp.forget().find(({ to }) => to === email)?.mail;
    expect(mail?.text).toContain('Own has made you a member');
    const key = /\/credentials\/login\/link\?key=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    const entered = await atLogin.send('enter', { key });
    expect([entered.status, entered.headers.location]).toEqual([303, '/credentials/console']);
    const member = visitorWith(sessionOf(entered.cookies));
    expect((await member.show(MEMBERS)).text).toContain(email);
    const { text } = await people.Administrador.show(MEMBERS);
    const row = text.slice(text.indexOf(email));
    const id = /members\/([\da-f-]{36})/.exec(row)?.[1] ?? '';
    expect((await people.Administrador.send(`${MEMBERS}/${id}/remove`)).status).toBe(303);
    expect((await member.show(MEMBERS)).status).toBe(303);
  });

  test('by the API are listed, invited, changed and removed, and the last Administrador stays', async () => {
    const id = await ownOrganization();
    await createApplication('credentials', {
      ...{ name: id, permissions: ['Administrador'], registered: { organizations: [id] } },
    });
    const headers = { 'X-API-Key': (await issueKey('credentials', id)).text };
    const ask = (endpoint: Parameters<typeof call>[0], memberId?: string, json?: object) =>
      call(endpoint, { params: { id, ...(memberId && { memberId }) }, headers, ...(json && { json }) });
    const first = { name: 'Ana', email: `${randomUUID()}@members.example`, role: 'Registrar' };
    expect((await ask(inviteMember, undefined, first)).json()).toMatchObject({ code: 'LastAdministrator' });
    const ana = idOf(await ask(inviteMember, undefined, { ...first, role: 'Administrador' }));
    const bia = { name: 'Bia', email: `${randomUUID()}@members.example`, role: 'Reader' };
    const invited = await ask(inviteMember, undefined, { ...bia, identifier: '529.982.247-25' });
    expect(invited.json()).toMatchObject({ ...bia, identifier: '52998224725' });
    expect((await ask(inviteMember, undefined, bia)).json()).toMatchObject({ code: 'MemberAlreadyExists' });
    const change = { name: 'Bia Lima', role: 'Registrar', identifier: null };
    expect((await ask(changeMember, idOf(invited), change)).json()).toMatchObject(change);
    const { items } = (await ask(listMembers)).json() as { items: Shown[] };
    expect(items.map(({ name }) => name)).toEqual(['Ana', 'Bia Lima']);
    expect((await ask(removeMember, ana)).json()).toMatchObject({ code: 'LastAdministrator' });
    expect((await ask(removeMember, idOf(invited))).status).toBe(204);
    expect((await ask(removeMember, idOf(invited))).json()).toMatchObject({
      code: 'MemberNotFound',
    });
  });

  test('of the sandbox log in with one click on the local stage alone', async () => {
    const { organizationId } = await memberStage();
    vi.stubEnv('SANDBOX_UNIVERSITY', organizationId);
    const { cookies } = await atLogin.send('sandbox');
    expect((await visitorWith(sessionOf(cookies)).show('organization')).text).toContain('Administrator');
    vi.stubEnv('SANDBOX_UNIVERSITY', '');
    expect((await atLogin.send('sandbox')).status).toBe(404);
  });

  test('who work for two organizations change between them', async () => {
    const [one, two] = [await memberStage(), await memberStage()];
    const { email } = await one.add();
    await two.add({ email });
    const member = await one.enter(email);
    const { status } = await member.send('organization/switch', { organization: two.organizationId });
    expect(status).toBe(303);
    expect((await member.show('organization')).text).toContain(`<code>${two.organizationId}</code>`);
    const third = await memberStage();
    expect((await member.send('organization/switch', { organization: third.organizationId })).status).toBe(
      404,
    );
  });
});

describe('who signs for an institute', () => {
  const path = (id: string) => `organization/institutes/${id}/signers`;
  const person = (at: number, cpf: string, more: Record<string, string> = {}) => ({
    [`name-${at}`]: `Person ${at}`,
    [`cpf-${at}`]: cpf,
    [`email-${at}`]: `p${at}@members.example`,
    [`step-${at}`]: String(at + 1),
    ...more,
  });

  test('is changed by a form, whose empty rows are nobody', async () => {
    const { people, institute } = await memberStage();
    const form = { ...person(0, '529.982.247-25'), ...person(4, '47363361886') };
    const { headers } = await people.Administrador.send(path(institute.id), form);
    expect(headers.location).toBe('/credentials/console/organization/institutes?done=changed');
    expect((await institutes.get(institute.id))?.signers).toEqual([
      { name: 'Person 0', cpf: '52998224725', email: 'p0@members.example', step: 1 },
      { name: 'Person 4', cpf: '47363361886', email: 'p4@members.example', step: 5 },
    ]);
    expect((await people.Reader.show('organization/institutes')).text).toContain('Person 4');
  });

  test.each([
    ['nobody', {}],
    ['a CPF that is none', person(0, '123')],
    ['a CPF twice', { ...person(0, '52998224725'), ...person(1, '529.982.247-25') }],
    ['a name of 1,000 characters', person(0, '52998224725', { 'name-0': 'x'.repeat(1_000) })],
    ['a name that turns the reading direction', person(0, '52998224725', { 'name-0': 'A \u202Eb' })],
    ['markup for an address', person(0, '52998224725', { 'email-0': '<script>alert(1)</script>' })],
    ['a step that is none', person(0, '52998224725', { 'step-0': '-1' })],
  ])('stays with %s, and the form is shown again as text', async (_, form) => {
    const { people, institute } = await memberStage();
    const { status, text } = await people.Administrador.send(path(institute.id), form);
    expect(status).toBe(422);
    expect(text).toContain('role="alert"');
    expect(text).not.toContain('<script>alert');
    expect((await institutes.get(institute.id))?.signers).toEqual(institute.signers);
  });

  test('is read and set by the API', async () => {
    const { organizationId, institute } = await memberStage();
    const name = randomUUID();
    const registered = { organizations: [organizationId] };
    await createApplication('credentials', { name, permissions: ['Administrador'], registered });
    const headers = { 'X-API-Key': (await issueKey('credentials', name)).text };
    const signers = [{ name: 'Ana', cpf: '52998224725', email: 'ana@members.example', step: 1 }];
    const set = await call(setSigners, { params: { id: institute.id }, headers, json: { signers } });
    expect(set.json()).toMatchObject({ id: institute.id, emecCode: institute.emecCode, signers });
    const listed = await call(listInstitutes, { params: { id: organizationId }, headers });
    expect(listed.json()).toEqual({ items: [set.json()] });
    const twice = await call(setSigners, {
      ...{ params: { id: institute.id }, headers, json: { signers: [...signers, ...signers] } },
    });
    expect([twice.status, twice.json()]).toEqual([422, expect.objectContaining({ code: 'InvalidFields' })]);
  });
});

describe('webhooks', () => {
  const path = (id: string) => `organization/webhooks/${id}/change`;
  const FORM = { enabled: 'true', url: 'http://127.0.0.1:9/', authType: 'Bearer', token: 'secret-token' };

  test('of organization and institute are set by forms, and no page shows a token', async () => {
    const { people, organizationId, institute } = await memberStage();
    const { send, show } = people.Administrador;
    expect((await send(path(organizationId), FORM)).status).toBe(303);
    expect((await send(path(institute.id), { enabled: 'true', shared: 'true' })).status).toBe(303);
    expect(await getIntegration(organizationId)).toMatchObject({ enabled: true, url: FORM.url });
    expect(await getIntegration(institute.id)).toMatchObject({ shouldUseSubscriptionWebhookSettings: true });
    for (const page of ['', `/${organizationId}`]) {
      const { status, text } = await show(`organization/webhooks${page}`);
      expect([status, text.includes(FORM.url), text.includes(FORM.token)]).toEqual([200, true, false]);
    }
  });

  test.each([
    ['no address', { ...FORM, url: '' }],
    ['an address that is none', { ...FORM, url: 'javascript:alert(1)' }],
    ['no token', { ...FORM, token: '' }],
    ['a token with a line break', { ...FORM, token: 'a\r\nb' }],
  ])('with %s are not set', async (_, form) => {
    const { people, organizationId } = await memberStage();
    const { status, text } = await people.Administrador.send(path(organizationId), form);
    expect([status, text.includes('role="alert"')]).toEqual([422, true]);
    expect(await getIntegration(organizationId)).toMatchObject({ enabled: false });
  });

  test('that another site forged are not set', async () => {
    const { people, organizationId } = await memberStage();
    const { status } = await people.Administrador.send(path(organizationId), FORM, {
      'Sec-Fetch-Site': 'cross-site',
    });
    expect(status).toBe(403);
    expect(await getIntegration(organizationId)).toMatchObject({ enabled: false });
  });
});

test('a form whose session has ended leads back to its page, by the log-in', async () => {
  const { send } = visitorWith('ended');
  const leadsTo = async (path: string): Promise<string> => {
    const { status, headers } = await send(path);
    expect(status).toBe(303);
    const { searchParams } = new URL(headers.location ?? '', 'https://sinete.example');
    return (searchParams.get('ReturnUrl') ?? '').replace(/^\/credentials\/console\/?/, '');
  };
  expect(await leadsTo('degrees/ID/events/canceled')).toBe('degrees/ID');
  expect(await leadsTo('new/degrees')).toBe('new/degrees');
  expect(await leadsTo('restamps/request')).toBe('restamps');
  for (const load of Object.values(SECTIONS))
    for (const form of Object.keys((await load()).forms)) {
      const page = await findRoute(SECTIONS, 'pages', await leadsTo(form.replaceAll(/[{}]/g, '')));
      expect(page, form).toBeDefined();
    }
});
