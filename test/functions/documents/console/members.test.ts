import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  addMember,
  changeMember,
  listMembers,
  removeMember,
} from '../../../../functions/documents/domain/members/members.ts';
import {
  findMemberships,
  MAX_MEMBERS,
  rosters,
} from '../../../../functions/documents/domain/members/roster.ts';
import { deleteOrganization } from '../../../../functions/documents/domain/removal/delete-organization.ts';
import { ownOrganization } from '../own-organization.ts';
import { callerFor } from '../sample-documents.ts';
import { memberStage } from './member-stage.ts';

const address = () => `${randomUUID()}@members.example`;
const OWNER = { name: 'Owner', cpf: null, role: 'Owner' } as const;

describe('the last owner', () => {
  // owner 1  |--reads: two owners------ leaves --|
  // owner 2     |--reads: two owners------ refused: another version --|--reads: one owner: LastOwner
  test('stays, whoever of two owners leaves first, by whatever way', async () => {
    for (const leave of [
      removeMember,
      (caller: ReturnType<typeof callerFor>, orgId: string, id: string) =>
        changeMember(caller, orgId, id, { role: 'Reader' }),
    ]) {
      const { orgId } = await ownOrganization();
      const caller = callerFor(orgId);
      const owners = [];
      for (let n = 0; n < 4; n++)
        owners.push(await addMember(caller, orgId, { ...OWNER, email: address() }, Date.now()));
      const ended = await Promise.allSettled(owners.map(({ id }) => leave(caller, orgId, id)));
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'LastOwner' },
      });
      const left = await listMembers(caller, orgId);
      expect(left.filter(({ role }) => role === 'Owner')).toHaveLength(1);
    }
  });

  test('is the first member: an organization without one gets no other', async () => {
    const { orgId } = await ownOrganization();
    const first = { name: 'Bia', cpf: null, role: 'Manager', email: address() } as const;
    await expect(addMember(callerFor(orgId), orgId, first, Date.now())).rejects.toMatchObject({
      code: 'LastOwner',
    });
  });
});

describe('members', () => {
  test('have an address and a CPF of their own, in any case, also when both are invited at once', async () => {
    const { orgId } = await ownOrganization();
    const caller = callerFor(orgId);
    const email = address();
    const twice = await Promise.allSettled(
      [email, email.toUpperCase()].map((each) =>
        addMember(caller, orgId, { ...OWNER, email: each }, Date.now()),
      ),
    );
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(twice.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'MemberAlreadyExists' },
    });
    const withCpf = { ...OWNER, cpf: '52998224725', email: address() };
    await addMember(caller, orgId, withCpf, Date.now());
    await expect(
      addMember(caller, orgId, { ...withCpf, email: address() }, Date.now()),
    ).rejects.toMatchObject({ code: 'MemberAlreadyExists', details: { field: 'cpf' } });
  });

  test('are found by what they prove, in every organization, until it is taken from them', async () => {
    const [one, other] = [await ownOrganization(), await ownOrganization()];
    const email = address();
    const cpf = '11144477735';
    const found = async (kind: 'email' | 'cpf', value: string) =>
      (await findMemberships({ kind, value })).map(({ organizationId }) => organizationId);
    for (const { orgId } of [one, other])
      await addMember(callerFor(orgId), orgId, { ...OWNER, email, cpf }, Date.now());
    const both = [one.orgId, other.orgId].toSorted();
    expect(await found('email', email)).toEqual(both);
    expect(await found('cpf', cpf)).toEqual(expect.arrayContaining(both));
    const [member] = await listMembers(callerFor(one.orgId), one.orgId);
    await changeMember(callerFor(one.orgId), one.orgId, member?.id ?? '', { cpf: null });
    expect(await found('cpf', cpf)).not.toContain(one.orgId);
    expect(await found('email', email)).toEqual(both);
  });

  test('are at most as many as one item has room for, with the longest names and addresses', async () => {
    const { orgId } = await ownOrganization();
    const members = Array.from({ length: MAX_MEMBERS }, () => ({
      ...{ ...OWNER, id: randomUUID(), cpf: '52998224725', invitedAtMs: Date.now() },
      name: '\u{1F58B}'.repeat(50),
      email: `${randomUUID()}${'x'.repeat(254)}`.slice(0, 254),
    }));
    await rosters.create({ organizationId: orgId, members });
    await expect(
      addMember(callerFor(orgId), orgId, { ...OWNER, email: address() }, Date.now()),
    ).rejects.toMatchObject({ code: 'MaxMembersLimitReached' });
  });
});

describe('a session', () => {
  test('of a member who is removed ends at once, and does not come back with another invitation', async () => {
    const { orgId, caller, people, enter, add } = await memberStage();
    const { email } = await add();
    const visitor = await enter(email);
    expect((await visitor.show('')).status).toBe(200);
    const id = (await listMembers(caller, orgId)).find((each) => each.email === email)?.id ?? '';
    expect((await people.Owner.send(`organization/members/${id}/remove`)).status).toBe(303);
    const { status, headers } = await visitor.show('organization');
    expect(status).toBe(303);
    expect(headers.location).toMatch(/\/documents\/login\?ReturnUrl=.*problem=session-ended/);
    await add({ email });
    expect((await visitor.show('')).status).toBe(303);
  });

  test('has the role that the member has now', async () => {
    const { people, orgId, caller } = await memberStage();
    expect((await people.Manager.send('organization/members/invite')).status).toBe(403);
    await changeMember(caller, orgId, people.Manager.id, { role: 'Owner' });
    expect((await people.Manager.send('organization/members/invite')).status).toBe(422);
  });

  test('ends with its organization', async () => {
    const { people, orgId } = await memberStage();
    await deleteOrganization(orgId, Date.now());
    expect((await people.Owner.show('')).status).toBe(303);
  });

  test('of a program without a cookie is refused, and not led to a page', async () => {
    const { people } = await memberStage();
    const headers = { Accept: 'application/json', Cookie: '' };
    expect((await people.Owner.show('organization', {}, headers)).status).toBe(401);
  });

  test('of somebody who leaves is over, and the last owner cannot', async () => {
    const { people } = await memberStage();
    expect((await people.Reader.send('organization/leave')).status).toBe(303);
    expect((await people.Reader.show('')).status).toBe(303);
    const { status, text } = await people.Owner.send('organization/leave');
    expect([status, text.includes('LastOwner')]).toEqual([422, true]);
    expect((await people.Owner.show('')).status).toBe(200);
  });
});

describe('forms', () => {
  const FIELDS = { name: 'Caio', email: 'caio@members.example', identifier: '', role: 'Reader' };

  test('invite, change and remove', async () => {
    const { people, caller, orgId } = await memberStage();
    const { headers } = await people.Owner.send('organization/members/invite', FIELDS);
    expect(headers.location).toBe('/documents/console/organization/members?done=invited');
    const find = async () => (await listMembers(caller, orgId)).find(({ email }) => email === FIELDS.email);
    const id = (await find())?.id ?? '';
    const changed = { ...FIELDS, name: 'Caio Melo', identifier: '529.982.247-25', role: 'Member' };
    expect((await people.Owner.send(`organization/members/${id}/change`, changed)).status).toBe(303);
    expect(await find()).toMatchObject({ name: 'Caio Melo', cpf: '52998224725', role: 'Member' });
    expect((await people.Owner.show('organization/members')).text).toContain('Caio Melo');
    await people.Owner.send(`organization/members/${id}/remove`);
    expect(await find()).toBeUndefined();
  });

  test.each([
    ['a name that turns the reading direction', { name: 'Caio \u202Eoiac' }],
    ['a name of 1,000 characters', { name: 'C'.repeat(1_000) }],
    ['an address that is none', { email: '<script>alert(1)</script>' }],
    ['a CPF that is none', { identifier: '123' }],
    ['a role that is none', { role: 'God' }],
  ])('with %s are shown again, as text', async (_, fields) => {
    const { people, caller, orgId } = await memberStage();
    const sent = { ...FIELDS, ...fields };
    const { status, text } = await people.Owner.send('organization/members/invite', sent);
    expect(status).toBe(422);
    expect(text).toContain('role="alert"');
    expect(text).not.toContain('<script>alert');
    expect(await listMembers(caller, orgId)).toHaveLength(4);
  });

  test('show names with markup in them as text', async () => {
    const { people } = await memberStage();
    const name = '<img src=x onerror=alert(1)>';
    await people.Owner.send('organization/members/invite', { ...FIELDS, name });
    const { text } = await people.Owner.show('organization/members');
    expect(text).not.toContain('<img src=x');
    expect(text).toContain('&lt;img src=x');
  });

  test.each([
    ['cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another port', { 'Sec-Fetch-Site': 'same-site' }],
  ])('that another site forged do nothing: %s', async (_, headers) => {
    const { people, caller, orgId } = await memberStage();
    const { status } = await people.Owner.send('organization/members/invite', FIELDS, headers);
    expect(status).toBe(403);
    expect(await listMembers(caller, orgId)).toHaveLength(4);
  });

  test('a link cannot put words on a page', async () => {
    const { people } = await memberStage();
    const { text } = await people.Owner.show('organization/members', { done: 'You have won' });
    expect(text).not.toContain('You have won');
  });
});
