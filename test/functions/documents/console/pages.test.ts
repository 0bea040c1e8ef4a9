import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler as changeDraft } from '../../../../functions/documents/console/endpoints/change-draft.ts';
import { handler as getContent } from '../../../../functions/documents/console/endpoints/get-console-content.ts';
import { handler as showPage } from '../../../../functions/documents/console/endpoints/show-console-page.ts';
import { handler as submitForm } from '../../../../functions/documents/console/endpoints/submit-console-form.ts';
import { handler as uploadFiles } from '../../../../functions/documents/console/endpoints/upload-console-files.ts';
import { NewVersion } from '../../../../functions/documents/contract/create-document.ts';
import { createVersion } from '../../../../functions/documents/domain/creating/create-version.ts';
import { readDocument } from '../../../../functions/documents/domain/links/read-document.ts';
import { inviteMember } from '../../../../functions/documents/domain/members/members.ts';
import type { Role } from '../../../../functions/documents/domain/members/permissions.ts';
import { logIn } from '../../../../functions/documents/domain/members/sessions.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { validate } from '../../../../shared/http/validate.ts';
import { countCalls } from '../../../measure/calls.ts';
import { call, type Request } from '../../../requests/http-event.ts';
import { ownOrganization } from '../own-organization.ts';
import { APPROVER, anUpload, callerFor, manyLike, someDocuments } from '../sample-documents.ts';

type Visitor = Awaited<ReturnType<typeof memberOf>>;

/** Somebody who is logged in, with this role. */
async function memberOf(orgId: string, role: Role = 'Owner') {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  await inviteMember(callerFor(orgId), orgId, { name: 'Eva', email, cpf: null, role }, Date.now());
  const identity = { kind: 'email', value: email } as const;
  const cookie = await logIn({ identity, organizationId: orgId, previous: undefined }, Date.now());
  const headers = { Cookie: `sinete-member=${cookie}`, Accept: 'text/html', 'Accept-Language': 'en' };
  const visit = (handler: Endpoint, path: string, request: Request = {}) =>
    call(handler, { params: { path }, ...request, headers: { ...headers, ...request.headers } });
  return {
    email,
    page: (path: string, query: Record<string, string> = {}) => visit(showPage, path, { query }),
    form: (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
      visit(submitForm, path, {
        body: new URLSearchParams(fields).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...more },
      }),
    change: (id: string, json: object, more: Record<string, string> = {}) =>
      visit(changeDraft, '', { params: { id }, json, headers: { Accept: 'application/json', ...more } }),
    content: (path: string, query: Record<string, string | string[]> = {}) =>
      visit(getContent, path, { query }),
    upload: (id: string) =>
      visit(uploadFiles, '', {
        params: { id },
        path: `/documents/drafts/${id}/files`,
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
        body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n',
      }),
  };
}

let orgId: string;
let owner: Visitor;
beforeAll(async () => {
  ({ orgId } = await ownOrganization());
  owner = await memberOf(orgId);
});

describe('the pages of documents', () => {
  test('a page of the list costs the same at the beginning and at the end of it', async () => {
    const own = await ownOrganization();
    const eva = await memberOf(own.orgId);
    const [first = ''] = await someDocuments(own.orgId);
    await manyLike(first, 300);
    const readsOf = async (page: number) => {
      await eva.page('', { page: String(page) });
      const { total, keys } = await countCalls(() => eva.page('', { page: String(page) }));
      return total + keys;
    };
    const [begin, end] = [await readsOf(1), await readsOf(12)];
    expect(end / begin).toBeLessThanOrEqual(1.3);
  });

  test('show what others typed as text, and search and filter by the address alone', async () => {
    const flowActions = [
      { type: 'Approver', user: { name: '<script>alert(1)</script>', email: 'a@example.com' } },
    ];
    const [id = ''] = await someDocuments(orgId, { flowActions, description: '<img src=x>' });
    const [other = ''] = await someDocuments(orgId, { names: ['unseen.bin'] });
    const list = await owner.page('', { view: 'pending', q: '<SCRIPT>' });
    expect(list.text).toContain(id);
    expect(list.text).not.toContain(other);
    const page = await owner.page(`documents/${id}`);
    for (const { text } of [list, page]) expect(text).not.toMatch(/<script>alert|<img src=x/i);
    expect(list.text).toContain('value="&lt;SCRIPT&gt;"');
    expect(page.text).toContain('&lt;script&gt;');
  });

  test('a selection is moved, reminded of and canceled, and what has ended is left as it is', async () => {
    const [one = '', two = ''] = await someDocuments(orgId, { names: ['one.bin', 'two.bin'] });
    await owner.form(`documents/${one}/cancel`, { reason: 'wrong' });
    const body = { do: 'cancel', reason: 'replaced', id: two };
    const answer = await owner.form('documents/selection', body);
    expect([answer.status, answer.headers.location]).toEqual([303, expect.stringContaining('done=done')]);
    expect((await owner.form('documents/selection', { ...body, id: one })).status).toBe(303);
    expect((await owner.page(`documents/${one}`)).text).toContain('wrong');
    expect((await owner.page(`documents/${two}`)).text).toContain('replaced');
    expect((await owner.form('documents/selection', { do: 'cancel', reason: 'x' })).status).toBe(422);
  });

  test('the address of somebody who has not acted is corrected, alone or in a rule', async () => {
    const rule = {
      ...{ type: 'SignRule', ruleName: 'Board', numberRequiredSignatures: 1 },
      signRuleUsers: ['caio', 'duda'].map((name) => ({ name, email: `${name}@example.com` })),
    };
    const [id = ''] = await someDocuments(orgId, { flowActions: [APPROVER, rule] });
    const { flowActions } = await readDocument(callerFor(orgId), id, Date.now());
    const [alone, board] = flowActions;
    const correct = (fields: Record<string, string>) => owner.form(`documents/${id}/correct`, fields);
    const fields = { flowActionId: alone?.id ?? '', userId: '', emailAddress: 'new@example.com' };
    expect((await correct(fields)).headers.location).toContain('done=notInvited');
    const userId = board?.signRuleUsers[1]?.id ?? '';
    await correct({ flowActionId: board?.id ?? '', userId, emailAddress: 'other@example.com' });
    const { text } = await owner.page(`documents/${id}`);
    for (const address of ['new@', 'caio@', 'other@']) expect(text).toContain(`${address}example.com`);
    for (const address of ['bia@', 'duda@']) expect(text).not.toContain(`${address}example.com</span>`);
    expect((await correct({ ...fields, emailAddress: 'no address' })).status).toBe(400);
    expect((await correct({ ...fields, flowActionId: 'none' })).status).toBe(422);
  });

  test('the history of a document has its moves, new versions and corrections, by whom', async () => {
    const [id = ''] = await someDocuments(orgId);
    await owner.form('documents/folders', { folderName: 'Contracts <2026>', parentId: '' });
    const [, folder = ''] = /folder=([\w-]+)"[^>]*><bdi>Contracts/.exec((await owner.page('')).text) ?? [];
    await owner.form(`documents/${id}/move`, { to: folder });
    const version = validate(NewVersion, { file: { id: await anUpload(orgId) } });
    await createVersion(callerFor(orgId), id, version, Date.now());
    await owner.form(`documents/${id}/move`, { to: '' });
    const { text } = await owner.page(`documents/${id}`);
    for (const part of [
      'Eva moved it to the folder Contracts &lt;2026&gt;.',
      'Eva moved it out of its folder.',
      'uploaded a new version.',
    ])
      expect(text).toContain(part);
  });

  test('the list counts what waits for whoever looks at it', async () => {
    const own = await ownOrganization();
    const eva = await memberOf(own.orgId);
    const flowActions = [{ type: 'Approver', user: { name: 'Eva', email: eva.email } }];
    await someDocuments(own.orgId, { flowActions, names: ['a.bin', 'b.bin'] });
    await someDocuments(own.orgId);
    expect((await eva.page('')).text).toMatch(/Waiting for me<\/a> <span class="faint">2<\/span>/);
  });

  test('a ZIP has the files of those that exist for the member', async () => {
    const foreign = await ownOrganization();
    const [theirs = ''] = await someDocuments(foreign.orgId, { names: ['theirs.bin'] });
    const [own = ''] = await someDocuments(orgId, { names: ['own.bin'] });
    const { status, bytes } = await owner.content('zip', { id: [own, theirs] });
    const text = bytes.toString('latin1');
    expect([status, text.includes('own.bin'), text.includes('theirs.bin')]).toEqual([200, true, false]);
  });
});

describe('whatever is typed into a draft', () => {
  test.each([
    ['markup', '"><script>alert(1)</script>{{x}}'],
    ['a mark of direction', '\u202egnp.exe'],
    ['1,000 characters', 'W'.repeat(1_000)],
    ['lone surrogates and zeros', '\ud800a\u0000b'],
  ])('is shown as text on every page of it: %s', async (_, text) => {
    const { id } = (await owner.change('new', {})).json() as { id: string };
    await owner.upload(id);
    const version =
      /name="version"[^>]*value="([^"]+)"/.exec((await owner.page(`send/${id}`)).text)?.[1] ?? '';
    const person = { personKey: 'k', personName: text, personEmail: text, personIdentifier: text };
    const more = { personRole: 'sign', personStep: text, personGroup: text, personRequired: text };
    const details = { folderId: text, message: text, deadline: text, fileTitle: text };
    const saved = await owner.form(`send/${id}/save`, {
      ...person,
      ...more,
      ...details,
      version,
      do: 'save',
    });
    expect(saved.status).toBe(303);
    for (const path of ['', '/marks', '/review']) {
      const page = await owner.page(`send/${id}${path}`);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.text).not.toContain('<script>alert');
    }
    // It is told what does not hold, and nothing is sent.
    const sent = await owner.form(`send/${id}/send`, { version });
    expect(sent.status).toBe(409);
  });
});

describe('nobody does by a page what their role or another organization forbids', () => {
  test('a reader sends, changes and deletes nothing, and an organization sees nothing of another', async () => {
    const reader = await memberOf(orgId, 'Reader');
    const stranger = await memberOf((await ownOrganization()).orgId);
    const [id = ''] = await someDocuments(orgId);
    const draft = ((await owner.change('new', {})).json() as { id: string }).id;
    const tried = async (who: Visitor) => [
      (await who.page(`send/${draft}`)).status,
      (await who.change(draft, {})).status,
      (await who.upload(draft)).status,
      (await who.content(`drafts/${draft}/x`)).status,
      (await who.form(`send/${draft}/delete`, {})).status,
      (await who.form(`documents/${id}/cancel`, { reason: 'x' })).status,
      (await who.form(`documents/${id}/delete`, {})).status,
      (await who.form(`documents/${id}/link`, { flowActionId: '0' })).status,
    ];
    expect(new Set(await tried(reader))).toEqual(new Set([403]));
    expect(new Set(await tried(stranger))).toEqual(new Set([404]));
    expect((await reader.page(`documents/${id}`)).status).toBe(200);
    expect((await stranger.page(`documents/${id}`)).status).toBe(404);
    expect((await stranger.content(`documents/${id}/file`)).status).toBe(404);
  });

  test('a form or a change that another site has a browser send does nothing', async () => {
    const [id = ''] = await someDocuments(orgId);
    const forged = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await owner.form(`documents/${id}/delete`, {}, forged)).status).toBe(403);
    expect((await owner.change('new', {}, forged)).status).toBe(403);
    expect((await owner.page(`documents/${id}`)).status).toBe(200);
  });
});
