import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Document, documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { formatCode } from '../../../../../functions/documents/domain/document/verification-code.ts';
import { handler as updateEmbedding } from '../../../../../functions/documents/endpoints/organizations/update-embedding.ts';
import { handler } from '../../../../../functions/documents/endpoints/signing/get-action-page.ts';
import { call } from '../../../../requests/http-event.ts';
import { ownOrganization } from '../../own-organization.ts';
import { asApplication, byKey, partsOf } from './calls.ts';
import { approver, current, pendingDocument, signer } from './pending-document.ts';

const CPF = '52998224725';
const PDF = Buffer.from('%PDF-1.7\n');

const organization = await ownOrganization();
afterEach(() => vi.unstubAllEnvs());

const waiting = (flow: unknown[], more: Partial<Document> = {}, file: object = {}) =>
  pendingDocument({
    organizationId: organization.orgId,
    bytes: PDF,
    contentType: 'application/pdf',
    flow,
    more,
    ...file,
  });

type Visit = {
  readonly lang?: string;
  readonly place?: 'action' | 'embed';
  readonly headers?: Record<string, string>;
};

/** The page behind a participant's link. */
async function visit(document: Document, who: object, how: Visit = {}) {
  const link = await asApplication(organization.key)('action-url', document, who);
  const opened = partsOf((link.json() as { url: string }).url);
  return {
    ...opened,
    ...(await open(opened, how)),
    again: (more: Visit = {}) => open(opened, { ...how, ...more }),
  };
}

const open = (
  { key, ticket }: { readonly key: string; readonly ticket: string },
  { lang = 'en', place = 'action', headers = {} }: Visit,
) =>
  call(handler, {
    path: `/documents/document/key/${key}/${place}`,
    params: { key },
    query: { ticket, ...(lang && { lang }) },
    headers,
  });

describe('the page at an action URL', () => {
  test('shows a signer the document, who asks, what to do, and who else takes part', async () => {
    const document = await waiting([signer(CPF), approver('eva@example.com', { step: 2 })], {
      name: 'Supply contract',
      description: 'Please read annex B.',
      expiresAtMs: Date.UTC(2099, 0, 31, 12),
    });
    const { status, headers, text, key, ticket } = await visit(document, { identifier: CPF });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('<title>Sign: Supply contract · Sinete</title>');
    expect(text).toContain('<h1>Supply contract</h1>');
    expect(text).toMatch(/asks for your signature/);
    expect(text).toContain('until January 31, 2099');
    expect(text).toContain('Please read annex B.');
    expect(text).toContain('CPF ***.982.247-**');
    expect(text).not.toMatch(/529\.982/);
    const address = `../../../api/documents/keys/${key}/content?ticket=${ticket}`;
    expect(text).toContain(`data-reader="pdf" data-address="${address}"`);
    expect(text).toContain(`href="${address}" download="contrato.pdf">Download the document</a>`);
    expect(text).toContain('Sign the document');
    expect(text).toMatch(/To sign · Step 1[\s\S]*Waits for their turn · Step 2/);
  });

  test('tells the reader the places of the flow, and which is the person’s own', async () => {
    const marks = { prePositionedMarks: [{ page: 2, x: 50, y: 100, width: 200, height: 50 }] };
    const document = await waiting([signer(CPF, marks), approver('eva@example.com', marks)]);
    const { text } = await visit(document, { identifier: CPF });
    const [, places = ''] = /data-marks="([^"]*)"/.exec(text) ?? [];
    const place = { page: 2, x: 50, y: 100, width: 200, height: 50 };
    expect(JSON.parse(places.replaceAll('&quot;', '"'))).toEqual([
      { ...place, label: 'You sign here', yours: 'signature' },
      { ...place, label: 'Approver eva@example.com', yours: null },
    ]);
  });

  test('has a preview without the name of the document or of anybody', async () => {
    const { text } = await visit(await waiting([signer(CPF)], { name: 'Contract of Ana' }), {
      identifier: CPF,
    });
    const preview = text.match(/<meta property="og:[^>]*>/g)?.join('') ?? '';
    expect(preview).toContain('Your signature is asked for');
    expect(preview).not.toMatch(/Ana|Signer|529/);
  });

  test('asks an approver for no certificate', async () => {
    const { text } = await visit(await waiting([approver('ana@example.com')]), {
      emailAddress: 'ana@example.com',
    });
    expect(text).toContain('Approve the document');
    expect(text).not.toMatch(/type="(file|password)"/);
  });

  test('speaks Portuguese and English, as the browser or the link asks', async () => {
    const document = await waiting([signer(CPF)]);
    const { again } = await visit(document, { identifier: CPF });
    const inLanguage = async (lang: string, accept: string) =>
      (await again({ lang, headers: { 'Accept-Language': accept } })).text;
    expect(await inLanguage('', 'pt-BR,pt;q=0.9')).toContain('Assinar o documento');
    expect(await inLanguage('', 'en-US')).toContain('Sign the document');
    expect(await inLanguage('pt-BR', 'en-US')).toContain('<html lang="pt-BR">');
  });

  test('can be read without scripts, and sends nothing that is typed without them', async () => {
    const { text } = await visit(await waiting([signer(CPF)]), { identifier: CPF });
    expect(text).toContain('<noscript>');
    expect(text).toMatch(/<fieldset disabled>/);
    expect(text).not.toMatch(/<(input|textarea)[^>]* name=/);
    expect(text).not.toMatch(/<form[^>]*action=/);
  });

  test('shows as text whatever names and descriptions hold', async () => {
    const evil = `"><script>alert('x')</script>`;
    const document = await waiting([{ type: 'Signer', title: evil, user: { name: evil, identifier: CPF } }], {
      name: evil,
      description: evil,
    });
    const { text } = await visit(document, { identifier: CPF });
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
  });

  test('offers what is not a PDF as a download, whatever it is called', async () => {
    const document = await waiting(
      [signer(CPF)],
      {},
      { bytes: Buffer.from('<svg/>'), contentType: 'image/svg+xml' },
    );
    const { text } = await visit(document, { identifier: CPF });
    expect(text).not.toContain('<object');
    expect(text).toContain('Download the document');
  });

  test('lets the browser run only its own scripts, and no other site frame it or learn its address', async () => {
    const { headers } = await visit(await waiting([signer(CPF)]), { identifier: CPF });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; " +
        "worker-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});

test('the embedded page has nothing around it, and is framed by this host and the sites that are registered', async () => {
  const document = await waiting([signer(CPF)]);
  const { text, headers, again } = await visit(document, { identifier: CPF }, { place: 'embed' });
  expect(text).toContain('Sign the document');
  expect(text).not.toContain('class="masthead"');
  // The stage is the local one: applications run on other ports.
  const local = 'http://localhost:* http://127.0.0.1:*';
  const ancestorsOf = (answer: { headers: typeof headers }): string =>
    String(answer.headers['content-security-policy']).replace(/^.*frame-ancestors /, '');
  expect(ancestorsOf({ headers })).toBe(`'self' ${local}`);
  vi.stubEnv('ActionUrls__EmbedOrigins', 'https://app.example');
  await call(updateEmbedding, {
    method: 'PUT',
    params: { orgId: organization.orgId },
    headers: { 'X-API-Key': organization.key },
    json: { origins: ['https://own.example:8443', 'https://app.example'] },
  });
  const framed = await again();
  expect(ancestorsOf(framed)).toBe(`'self' https://app.example https://own.example:8443 ${local}`);
  expect(framed.text).toContain(`data-embed-origins="https://app.example https://own.example:8443 ${local}"`);
  expect((await again({ place: 'action' })).headers['content-security-policy']).toMatch(
    /frame-ancestors 'none'$/,
  );
});

describe('the page of somebody with nothing to do', () => {
  test('says that they approved, and offers the file', async () => {
    const document = await waiting([approver('ana@example.com'), signer(CPF)]);
    const { again, key, ticket } = await visit(document, { emailAddress: 'ana@example.com' });
    await byKey('approve', key, { ticket });
    const { status, text } = await again();
    expect(status).toBe(200);
    expect(text).toContain('You approved this document');
    expect(text).toContain('Others still have their part to do.');
    expect(text).toContain('Download the document');
    expect(text).not.toContain('<form');
  });

  test('says that they refused', async () => {
    const document = await waiting([approver('ana@example.com')]);
    const { again, key, ticket } = await visit(document, { emailAddress: 'ana@example.com' });
    await byKey('refuse', key, { ticket, reason: 'Wrong price' });
    expect((await again({ lang: 'pt-BR' })).text).toContain('Você recusou este documento');
  });

  test.each([
    ['Refused', 'The document was refused'],
    ['Canceled', 'The document was canceled'],
    ['Expired', 'The document has expired'],
    ['Concluded', 'The document is complete'],
  ] as const)('says what became of a document that is %s', async (state, sentence) => {
    const document = await waiting([signer(CPF)]);
    const { again } = await visit(document, { identifier: CPF });
    await documentItems.change(await current(document), { state });
    const { text } = await again();
    expect(text).toContain(sentence);
    expect(text).not.toContain('<form');
    expect(text).not.toMatch(/before you sign/);
  });

  test('offers the signed file and its verification, and neither once the document has ended', async () => {
    const signed = { signed: { key: 'k', size: 1, revision: 1 } };
    const document = await waiting([approver('ana@example.com'), signer(CPF)], signed);
    const { again, key, ticket } = await visit(document, { emailAddress: 'ana@example.com' });
    await byKey('approve', key, { ticket });
    const open = (await again()).text;
    expect(open).toContain('Download the signed file');
    expect(open).toContain(`href="../../../verification?code=${formatCode(document.code)}"`);
    await documentItems.change(await current(document), { state: 'Canceled' });
    const { text } = await again();
    expect(text).toContain('You approved this document');
    expect(text).toContain('The document was canceled');
    expect(text).not.toMatch(/signed file</);
    expect(text).not.toContain(formatCode(document.code));
  });

  test.each([
    ['Refused', 'en', 'No longer needed'],
    ['Canceled', 'pt-BR', 'Não é mais necessário'],
    ['Expired', 'en', 'No longer needed'],
  ] as const)('asks nobody for anything in a document that is %s', async (state, lang, words) => {
    const document = await waiting([signer(CPF), approver('eva@example.com', { step: 2 })]);
    const { again } = await visit(document, { identifier: CPF });
    await documentItems.change(await current(document), { state });
    const { text } = await again({ lang });
    expect(text.match(new RegExp(words, 'g'))).toHaveLength(2);
    expect(text).not.toMatch(/To sign|Falta assinar|Waits for their turn|Aguarda a vez/);
  });

  test('says that a document has expired from the moment that it has', async () => {
    const document = await waiting([signer(CPF)], { expiresAtMs: Date.now() + 60_000 });
    const { again } = await visit(document, { identifier: CPF });
    await documentItems.change(await current(document), { expiresAtMs: Date.now() - 1 });
    expect((await again()).text).toContain('The document has expired');
  });

  test('says how many of the people of a rule are enough, and then whom it needs no longer', async () => {
    const people = ['ana', 'eva', 'rui'].map((name) => ({ name, email: `${name}@example.com` }));
    const rule = {
      ...{ type: 'ApproverRule', ruleName: 'Directors', numberRequiredSignatures: 2 },
      signRuleUsers: people,
    };
    const document = await waiting([rule, signer(CPF)]);
    const { text, again } = await visit(document, { emailAddress: 'ana@example.com' });
    expect(text).toContain('Directors: 2 of these 3');
    expect((await again({ lang: 'pt-BR' })).text).toContain('Directors: 2 destes 3');
    for (const name of ['eva', 'rui'])
      await asApplication(organization.key)('approve', document, { emailAddress: `${name}@example.com` });
    expect((await again()).text).toMatch(/>ana<\/span>\s*<span class="faint">No longer needed/);
  });

  test('says that the others of a rule were enough', async () => {
    const people = ['ana', 'eva'].map((name) => ({ name, email: `${name}@example.com` }));
    const rule = { type: 'ApproverRule', ruleName: 'One of two', signRuleUsers: people };
    const document = await waiting([rule, signer(CPF)]);
    const { again } = await visit(document, { emailAddress: 'ana@example.com' });
    await asApplication(organization.key)('approve', document, { emailAddress: 'eva@example.com' });
    expect((await again()).text).toContain('You are no longer needed');
  });
});

describe('a link that opens nothing', () => {
  test('is told by a page: 404 where there is no such document, 410 where its time is over', async () => {
    const document = await waiting([signer(CPF)]);
    const { key, ticket } = await visit(document, { identifier: CPF });
    const unknown = await open({ key: 'x', ticket }, {});
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('This link opens no document');
    const expired = await open({ key, ticket: 'x' }, { lang: 'pt-BR' });
    expect(expired.status).toBe(410);
    expect(expired.text).toContain('Este link não vale mais');
  });

  test.each(['', 'x'.repeat(5000), '../../..', '<script>', '%00', '\u{1f512}'])(
    'is told by a page whatever its key and ticket are: %j',
    async (text) => {
      const { status, headers, text: page } = await open({ key: text, ticket: text }, {});
      expect(status).toBe(404);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page).not.toContain('<script>');
    },
  );

  test('is told by a page when the ticket is given twice, or not at all', async () => {
    const { key, ticket } = await visit(await waiting([signer(CPF)]), { identifier: CPF });
    const twice = await call(handler, { params: { key }, query: { ticket: [ticket, ticket] } });
    const none = await call(handler, { params: { key } });
    expect([twice.status, none.status]).toEqual([410, 410]);
  });
});
