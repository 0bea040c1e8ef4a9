import { describe, expect, test } from 'vitest';
import { issueTicket } from '../../../../../functions/documents/domain/document/action-link.ts';
import { openAssignments } from '../../../../../functions/documents/domain/flow/flow.ts';
import {
  deleteOrganization,
  emptyOrganization,
} from '../../../../../functions/documents/domain/removal/delete-organization.ts';
import { handler as getLogo } from '../../../../../functions/documents/endpoints/organizations/get-logo.ts';
import { handler as getOrganization } from '../../../../../functions/documents/endpoints/organizations/get-organization.ts';
import { handler } from '../../../../../functions/documents/endpoints/organizations/update-branding.ts';
import { handler as getActionPage } from '../../../../../functions/documents/endpoints/signing/get-action-page.ts';
import { files } from '../../../../../shared/files/files.ts';
import { call } from '../../../../requests/http-event.ts';
import { pngOf } from '../../../../shared/signing/pades/appearance/png.ts';
import { ownOrganization } from '../../own-organization.ts';
import { asApplication, partsOf } from '../signing/calls.ts';
import { pendingDocument, signer } from '../signing/pending-document.ts';

const PNG = pngOf({ kind: 2, bits: 8 }, 2, Array(2).fill(Array(6).fill(0x11)));
const CPF = '52998224725';

type Shown = { displayName: string; logoUrl: string | null; color: string | null };

const put = (orgId: string, key: string, json: object) =>
  call(handler, { method: 'PUT', params: { orgId }, headers: { 'X-API-Key': key }, json });
const brandingOf = async (orgId: string, key: string): Promise<Shown> =>
  (
    (await call(getOrganization, { params: { orgId }, headers: { 'X-API-Key': key } })).json() as {
      branding: Shown;
    }
  ).branding;
const logoAt = (logoUrl: string | null) => {
  const [version = '', orgId = ''] = (logoUrl ?? '').split('/').reverse();
  return call(getLogo, { params: { orgId, version } });
};

describe('the branding of an organization', () => {
  test('is its own name without a logo until it is set, and is shown to signers then', async () => {
    const { orgId, key } = await ownOrganization();
    expect(await brandingOf(orgId, key)).toMatchObject({ logoUrl: null, color: null });
    const logo = PNG.toString('base64');
    const set = await put(orgId, key, { displayName: 'Acme <b>', color: '#ffd400', logo });
    expect(set.status).toBe(200);
    const shown = await brandingOf(orgId, key);
    expect(shown).toEqual(set.json());
    const image = await logoAt(shown.logoUrl);
    expect([image.status, image.headers['content-type'], image.bytes.equals(PNG)]).toEqual([
      200,
      'image/png',
      true,
    ]);
    expect(image.headers['cache-control']).toContain('immutable');

    const document = await pendingDocument({ organizationId: orgId, bytes: PNG, flow: [signer(CPF)] });
    const link = await asApplication(key)('action-url', document, { identifier: CPF });
    const { key: documentKey, ticket } = partsOf((link.json() as { url: string }).url);
    const [assignment = expect.fail()] = openAssignments(document.flow);
    const afterCode = await issueTicket(document, assignment, Date.now(), { requiresCode: true });
    for (const [opened, text] of [
      [ticket, 'Acme &lt;b&gt; asks for your signature'],
      [afterCode, 'Acme &lt;b&gt; shows you a document after a code'],
    ] as const) {
      const page = await call(getActionPage, {
        path: `/documents/document/key/${documentKey}/action`,
        params: { key: documentKey },
        query: { ticket: opened, lang: 'en' },
      });
      expect(page.text).toContain(text);
      expect(page.text).toContain(`<img class="logo" src="${shown.logoUrl}" alt="">`);
      expect(page.text).toContain('.masthead{background:#ffd400;color:#000000');
      expect(page.headers['content-security-policy']).toMatch(/style-src 'self' 'sha256-[^']+';/);
      expect(page.headers['content-security-policy']).toContain("img-src 'self' data:");
    }
  });

  test('keeps a logo that is left out, removes one that is null, and gives another one another address', async () => {
    const { orgId, key } = await ownOrganization();
    await put(orgId, key, { logo: PNG.toString('base64') });
    const first = await brandingOf(orgId, key);
    await put(orgId, key, { displayName: 'Acme' });
    expect((await brandingOf(orgId, key)).logoUrl).toBe(first.logoUrl);
    await put(orgId, key, { logo: PNG.toString('base64') });
    const second = await brandingOf(orgId, key);
    expect(second.logoUrl).not.toBe(first.logoUrl);
    // Mail that was sent still shows the old one, for a day.
    expect((await logoAt(first.logoUrl)).status).toBe(200);
    await put(orgId, key, { logo: null });
    expect((await brandingOf(orgId, key)).logoUrl).toBeNull();
  });

  test.each([
    [{ color: 'red' }, 'color'],
    [{ color: '#12345' }, 'color'],
    [{ displayName: 'x'.repeat(81) }, 'displayName'],
    [{ logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') }, 'logo'],
    [{ logo: Buffer.alloc(102_401, 0xff).toString('base64') }, 'logo'],
    [{ logo: 'no base64!' }, 'logo'],
  ])('refuses %o by its field', async (json, field) => {
    const { orgId, key } = await ownOrganization();
    const refused = await put(orgId, key, json);
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { code: 'InvalidRequest', details: { field } },
    ]);
  });

  test('is changed by keys of the organization alone, and its logo goes with the organization', async () => {
    const [mine, other] = [await ownOrganization(), await ownOrganization()];
    expect((await put(mine.orgId, other.key, { displayName: 'Evil' })).status).toBe(404);
    await put(mine.orgId, mine.key, { logo: PNG.toString('base64') });
    const { logoUrl } = await brandingOf(mine.orgId, mine.key);
    await deleteOrganization(mine.orgId, Date.now());
    await emptyOrganization(mine.orgId, Date.now() + 86_400_000);
    expect((await logoAt(logoUrl)).status).toBe(404);
    expect((await files('documents').list(`branding/${mine.orgId}/`)).files).toEqual([]);
  });
});
