import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { newVerificationCode } from '../../../../functions/credentials/items/domain/verification-code.ts';
import { credentials } from '../../../../functions/credentials/service.ts';
import type { PublicCredential } from '../../../../functions/credentials/verification/domain/find-credential.ts';
import { handler as getCredentialPage } from '../../../../functions/credentials/verification/endpoints/get-credential-page.ts';
import { handler as getVerificationPage } from '../../../../functions/credentials/verification/endpoints/get-verification-page.ts';
import { credentialPage } from '../../../../functions/credentials/verification/pages/credential-page.ts';
import { refusedPage } from '../../../../functions/credentials/verification/pages/lookup-page.ts';
import { operationsOf } from '../../../../infra/contracts/operations.ts';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { runs } from '../../../faults/fuzz.ts';
import { call, type Request } from '../../../requests/http-event.ts';
import { storeCredential } from './stored-credentials.ts';

const BROWSER = { Accept: 'text/html', 'Accept-Language': 'en' };

/** A look at the page of a code, from an address of its own unless one is given. */
const look = (code: string, more: Request = {}) =>
  call(getCredentialPage, { params: { code }, headers: BROWSER, address: randomUUID(), ...more });
const enter = (query: Record<string, string | string[]> = {}) =>
  call(getVerificationPage, { query, headers: BROWSER });
const textOf = ({ body }: Answer): string => (body.kind === 'text' ? body.text : '');

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const PRIVATE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

test('the page for a code is a form that needs no script, in the language of the browser or the link', async () => {
  const english = await enter();
  expect(english.status).toBe(200);
  expect(english.headers).toMatchObject({ ...PRIVATE, 'content-language': 'en' });
  expect(english.text).toContain('<form class="look-up" method="get" action="./verify">');
  expect(english.text).not.toContain('<script');
  expect((await enter({ lang: 'pt-BR' })).text).toContain('Verificar um diploma');
});

test.each([
  ['as it is', (code: string) => code],
  ['with spaces and capitals', (code: string) => ` ${code.toUpperCase()}\n`],
])('the form leads a code %s on to its page', async (_, typed) => {
  const code = newVerificationCode('1234', '567');
  const { status, headers } = await enter({ code: typed(code), lang: 'en' });
  expect([status, headers.location]).toEqual([302, `verify/${code}?lang=en`]);
});

test('a form that was sent empty is shown again', async () => {
  expect((await enter({ code: ' ' })).status).toBe(200);
});

test('whatever is typed in place of a code leads nowhere', async () => {
  const given = fc.oneof(fc.string(), fc.constantFrom('https://evil.example', '//evil.example', '..', '\0'));
  await fc.assert(
    fc.asyncProperty(given, async (code) => {
      const { status, headers } = await enter({ code });
      expect([200, 404]).toContain(status);
      expect(headers.location).toBeUndefined();
    }),
    { numRuns: runs(40) },
  );
  expect((await enter({ code: ['1.2.abcdefabcdef', '1.2.abcdefabcdef'] })).status).toBe(404);
});

test('a code that leads nowhere stays in the field, to be compared', async () => {
  const unknown = newVerificationCode('1234', '567');
  expect((await look(unknown)).text).toContain(`value="${unknown}"`);
  expect((await enter({ code: '12"34' })).text).toContain('value="12&quot;34"');
});

test('the title of a page names the person, and the preview of its link does not', async () => {
  const { code } = await storeCredential({ data: { studentSocialName: null } });
  const { text } = await look(code);
  expect(text).toContain('<title>Degree: Maria da Silva · Sinete</title>');
  expect(text.match(/<meta property="og:[^>]*>/g)?.join()).not.toContain('Maria');
});

test('the page of a credential tells how it stands, what it is, and nothing to search engines', async () => {
  const { code } = await storeCredential({ data: { studentSocialName: null } });
  const { status, text, headers } = await look(code);
  expect(status).toBe(200);
  expect(headers).toMatchObject(PRIVATE);
  for (const shown of ['Waiting for signatures', 'Maria da Silva', 'Engenharia Civil', '***.444.777-**'])
    expect(text).toContain(shown);
  for (const shown of ['Universidade Exemplo', 'Universidade Registradora', 'March 2, 2026', code])
    expect(text).toContain(shown);
  expect(text).not.toContain('11144477735');
  expect(text).not.toContain('<script');
});

test('an annulled degree has both of its reasons, and a suspended one its own', async () => {
  const cancellationReason = 'Reemissão para Anotaçao de Registro';
  const annulled = await storeCredential({ state: 'Canceled', reason: 'Wrong course', cancellationReason });
  const { text } = await look(annulled.code);
  for (const shown of ['Annulled', 'Wrong course', cancellationReason]) expect(text).toContain(shown);
  const suspended = await storeCredential({ state: 'CanceledTemporarily', reason: 'Under review' });
  const page = await look(suspended.code, { query: { lang: 'pt-BR' } });
  for (const shown of ['Suspenso', 'Under review']) expect(page.text).toContain(shown);
});

test('unknown and malformed codes get one page, to the letter', async () => {
  const codes = [newVerificationCode('1', '2'), 'x', '', '../..', '\0', '<b>', 'a'.repeat(5_000)];
  const pages = await Promise.all(codes.map((code) => look(code)));
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]));
  // Each has the code that was typed in its field, and nothing else of its own.
  const shown = pages.map(({ text }) => text.replace(/ value="[^"]*" required/, ''));
  expect(new Set(shown).size).toBe(1);
  expect(pages[0]?.headers).toMatchObject(PRIVATE);
  expect(pages[0]?.text).toContain('No document has this code');
});

test('looks are counted by network, known code or not, and the next one is told to wait on a page', async () => {
  vi.stubEnv('RateLimiting__Verification__PermitLimit', '2');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 0, 1, 12, 0, 20) });
  const { code } = await storeCredential();
  const address = randomUUID();
  expect((await look(code, { address })).status).toBe(200);
  expect((await look('unknown', { address })).status).toBe(404);
  const { status, text, headers } = await look(code, { address });
  expect([status, headers['retry-after']]).toEqual([429, '40']);
  expect(headers).toMatchObject({ ...PRIVATE, 'content-type': 'text/html; charset=utf-8' });
  expect(text).toContain('Wait 40 seconds');
  expect(text).not.toContain('Maria');
  const program = await look(code, { address, headers: { Accept: 'application/json' } });
  expect([program.status, program.json()]).toMatchObject([429, { code: 'TooManyRequests' }]);
  expect((await look(code)).status).toBe(200);
});

test('thirty looks a minute are the limit, and only they are counted', async () => {
  expect(credentials.rates?.Verification?.()).toEqual({ limit: 30, windowSeconds: 60 });
  const { operations } = await operationsOf('credentials');
  const looks = operations.filter(({ declaration: { rate } }) => rate === 'Verification');
  expect(looks.map(({ declaration: { route } }) => route)).toEqual(['GET /verify/{code}']);
});

test('a failure is a page that says so, in both languages', async () => {
  const refusal = credentials.errors.refuse('ServiceUnavailable');
  expect(textOf(await refusedPage('en', refusal, '..'))).toContain('The look-up did not work');
  expect(textOf(await refusedPage('pt-BR', refusal, '..'))).toContain('A consulta não funcionou');
});

const VALID: PublicCredential = {
  ...{ kind: 'degree', code: '1.2.abcdefabcdef', standing: 'valid', reason: null, cancellationReason: null },
  ...{ studentName: 'Maria', studentCpf: null, course: 'Letras', issuingIes: 'A', registeringIes: 'B' },
  ...{ type: null, createdAtMs: 0, concludedAtMs: null, changedAtMs: 0 },
  files: [{ name: 'diploma', outcome: 'valid', reasons: [], signatures: [] }],
};
const shownOf = async (credential: Partial<PublicCredential>) =>
  textOf(await credentialPage('en', { ...VALID, ...credential }, 0));

test.each([
  ['valid', 'valid', 'Valid'],
  ['invalid', 'invalid', 'Do not rely on this document'],
  ['undetermined', 'undetermined', 'Listed as valid, not confirmed by its signatures'],
  ['unchecked', 'undetermined', 'Listed as valid, not confirmed by its signatures'],
  ['unsigned', 'undetermined', 'Listed as valid, not confirmed by its signatures'],
] as const)('a degree that is listed as valid with a file that is %s', async (outcome, tone, title) => {
  const [file] = VALID.files;
  if (!file) throw new Error('A degree has files.');
  const text = await shownOf({ files: [file, { ...file, outcome }] });
  expect(text).toMatch(new RegExp(`<div class="result ${tone}">.*?<h2>${title}</h2>`, 's'));
});

test('a degree without any file is not called valid', async () => {
  expect(await shownOf({ files: [] })).toContain('<h2>Listed as valid, not confirmed by its signatures</h2>');
});

test('texts of institutions and certificates are shown as text', async () => {
  const hostile = '<img src=x onerror=alert(1)>"\'</dl><script>alert(1)</script>';
  const signature = { signer: hostile, cpf: null, time: null, isTimeProven: false } as const;
  const text = await shownOf({
    ...{ studentName: hostile, course: hostile, issuingIes: hostile, registeringIes: hostile },
    ...{ standing: 'annulled', reason: hostile, cancellationReason: hostile },
    files: [
      {
        ...{ name: hostile, outcome: 'valid', reasons: [] },
        signatures: [{ ...signature, outcome: 'valid', reasons: [] }],
      },
    ],
  });
  expect(text).not.toMatch(/<img|<script|<\/dl><s/);
  expect(text.match(/&lt;script&gt;/g)).toHaveLength(9);
});
