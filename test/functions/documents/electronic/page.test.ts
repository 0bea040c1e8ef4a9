import { createHash, randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { expect, test, vi } from 'vitest';
import { FlowEditRequest } from '../../../../functions/documents/contract/flows/flow-edit.ts';
import { evidencesOf, readEvidence } from '../../../../functions/documents/domain/document/evidence.ts';
import { readNewest } from '../../../../functions/documents/domain/document/newest-file.ts';
import { editRunningFlow } from '../../../../functions/documents/domain/flows/edit-running-flow.ts';
import { updatePreferences } from '../../../../functions/documents/domain/places/preferences.ts';
import { handler as createVersion } from '../../../../functions/documents/endpoints/documents/create-version.ts';
import { handler as getPage } from '../../../../functions/documents/endpoints/signing/get-action-page.ts';
import { handler as comeBack } from '../../../../functions/documents/endpoints/signing/return-from-liveness.ts';
import { handler as postForm } from '../../../../functions/documents/endpoints/signing/sign-at-page.ts';
import { handler as signaturesByCode } from '../../../../functions/documents/endpoints/verification/get-signatures-by-code.ts';
import { handler as lookUp } from '../../../../functions/documents/endpoints/verification/verify-by-code.ts';
import { admin } from '../../../cli/admin/in-process.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { sign as signWithKey } from '../endpoints/signing/calls.ts';
import { current } from '../endpoints/signing/pending-document.ts';
import { encodeForm } from '../file-form.ts';
import { callerFor } from '../sample-documents.ts';
import { runTasks } from '../stage/run-tasks.ts';
import { electronic, electronicStage, type Link } from './stage.ts';

await forFile(ownStores());
const stage = await forFile(electronicStage());

const BROWSER = { Accept: 'text/html', 'User-Agent': 'Browser/1', 'Accept-Language': 'pt-BR' };

async function send({ key, ticket }: Link, fields: Readonly<Record<string, string | Blob>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ticket, embedded: 'false', ...fields }))
    form.append(name, value);
  const { headers, ...sent } = await encodeForm(form);
  const request = { method: 'POST', path: `/document/key/${key}/electronic`, params: { key } };
  const query = { lang: 'pt-BR' };
  return call(postForm, { ...request, query, ...sent, headers: { ...BROWSER, ...headers } });
}
/** The answer to a form, and the page that it leads to. Loaded again, that gives no code again. */
async function post(link: Link, fields: Readonly<Record<string, string | Blob>>) {
  const answer = await send(link, fields);
  const [path = '', query] = answer.headers.location?.split(/[?#]/) ?? [];
  if (answer.status !== 303 || path !== 'action') return { ...answer, shown: answer.status };
  const led = () => page(link, Object.fromEntries(new URLSearchParams(query)));
  const { status, text } = await led();
  expect((await led()).text).toBe(text);
  return { ...answer, shown: status, text };
}
const page = ({ key, ticket }: Link, query: Record<string, string> = {}) =>
  call(getPage, {
    ...{ path: `/document/key/${key}/action`, params: { key }, headers: BROWSER },
    query: { ticket, lang: 'pt-BR', ...query },
  });
/** What the form of a page says that it shows. */
const shownIn = (text: string): string => /name="shown" value="([\d.]+)"/.exec(text)?.[1] ?? '';
/** Signs at a page that was just opened. */
const sign = async (link: Link, fields: Readonly<Record<string, string | Blob>> = {}) => {
  const shown = shownIn((await page(link, { code: 'sent' })).text);
  return post(link, { step: 'sign', agree: 'yes', shown, ...fields });
};
const forms = (text: string): string[] =>
  [...text.matchAll(/name="step" value="(\w+)"/g)].map(([, step = '']) => step);

test('a person signs with the plain forms of the page: code, sentence, signature', async () => {
  const link = await stage.invited();
  const first = await page(link);
  expect(forms(first.text)).toEqual(['code']);
  expect(first.headers['content-security-policy']).toContain("form-action 'self'");
  expect(first.text).toContain('assinatura eletrônica simples (Lei 14.063/2020, art. 4º, I)');
  expect(first.text).not.toContain('ana@sandbox.example.');

  const sent = await post(link, { step: 'code' });
  expect([sent.status, sent.headers.location]).toEqual([303, expect.stringContaining('code=sent')]);
  const emailCode = await stage.mailedCode();
  for (const query of [{ code: 'sent' }, {}] as Record<string, string>[])
    expect(forms((await page(link, query)).text)).toEqual(['sign', 'code']);
  expect((await page(link)).text).toContain('Um código já foi enviado a você. Digite-o aqui');
  // The code is none at another link, whose page asks for another one.
  expect(forms((await page(await stage.invitedAgain(link.id))).text)).toEqual(['code']);
  // Any other word in the address says nothing.
  expect((await page(link, { notice: 'anything' })).text).not.toContain('electronic-problem');

  const tries: [Record<string, string | Blob>, string][] = [
    [{ emailCode, agree: '' }, 'Confirme a frase'],
    [{ emailCode: emailCode === '000000' ? '000001' : '000000' }, 'Restam 5 tentativas'],
    [{}, 'Digite o código'],
    [{ emailCode, image: new Blob(['no image']) }, 'A imagem não pode ser usada'],
    // A page that was open before pages said what they show.
    [{ emailCode, shown: '' }, 'O documento mudou depois que esta página foi aberta'],
  ];
  for (const [fields, words] of tries) {
    const answer = await sign(link, fields);
    expect([answer.status, answer.text]).toEqual([303, expect.stringContaining(words)]);
  }
  expect((await sign(link, { emailCode, location: '-23.55,1000,20' })).status).toBe(400);
  // A browser sends an empty file where none was chosen.
  const location = '-23.55052,-46.63331,20';
  const done = await sign(link, { emailCode, image: new Blob([]), location });
  expect([done.status, done.headers.location]).toEqual([303, expect.stringMatching(/^action\?ticket=/)]);
  expect((await page(link)).text).toContain('Você assinou este documento');
  const [evidence] = await evidencesOf(await current(link));
  expect(evidence && readEvidence(evidence)).toMatchObject({
    agreement: expect.stringMatching(/^Li o documento “contrato.pdf” e o assino eletronicamente/),
    userAgent: 'Browser/1',
    authenticationTypes: ['Email'],
    signatureImageSha256: null,
    geolocation: { latitude: -23.55052, longitude: -46.63331, accuracy: 20 },
  });
  // Sent again, as from a second window: the page says that it is done.
  expect((await sign(link, { emailCode })).text).toContain('Você assinou este documento');
});

// Of an open page: what changes the document before its form is sent, and what the person reads then.
const CAIO = { type: 'Signer', user: { name: 'Caio Dias', identifier: '47363361886' } };
const CHANGES: Readonly<Record<string, readonly [(id: string) => Promise<unknown>, number, string]>> = {
  'its flow is edited': [
    (id) =>
      editRunningFlow(
        callerFor(stage.orgId),
        id,
        FlowEditRequest.parse({ addedFlowActions: [electronic({}, { name: 'Davi', identifier: null })] }),
        Date.now(),
      ),
    200,
    'O documento mudou depois que esta página foi aberta, e nada foi assinado',
  ],
  'somebody signs the file with a certificate': [
    (id) => signWithKey(stage.key, { id }, stage.holder('47363361886')),
    200,
    'O documento mudou depois que esta página foi aberta, e nada foi assinado',
  ],
  'it gets a new version': [
    async (id) => {
      const file = { id: await stage.upload(stage.pdf), name: 'b.pdf', displayName: 'b' };
      return call(createVersion, { headers: stage.headers, params: { id }, json: { file } });
    },
    410,
    'Este link não vale mais',
  ],
};

test.each(Object.entries(CHANGES))(
  'a page signs nothing but what it shows: after it opened, %s',
  async (_, [change, status, words]) => {
    const id = await stage.document([electronic(), CAIO]);
    const link = await stage.linkFor(id);
    const shown = shownIn((await page(link)).text);
    await change(id);
    const stale = await post(link, { step: 'sign', agree: 'yes', shown });
    expect([stale.shown, stale.text]).toEqual([status, expect.stringContaining(words)]);
    expect((await current({ id })).evidence).toBeUndefined();
    if (status !== 200) return;
    // The page that was answered shows the document as it is, and its form signs that.
    const again = await post(link, { step: 'sign', agree: 'yes', shown: shownIn(stale.text) });
    expect(again.status).toBe(303);
    const document = await current({ id });
    const [evidence] = await evidencesOf(document);
    const sha256 = createHash('sha256')
      .update(await readNewest(document))
      .digest('hex');
    expect(evidence && readEvidence(evidence).shownFile.sha256).toBe(sha256);
  },
);

test('a signed file is offered for keeping once it holds the electronic signatures, and not before', async () => {
  const id = await stage.document([electronic({ step: 2 }), CAIO]);
  await signWithKey(stage.key, { id }, stage.holder('47363361886'));
  const link = await stage.linkFor(id);
  await stage.signByKey(link);
  const before = (await page(link)).text;
  expect(before).toContain('O arquivo assinado está sendo preparado');
  for (const early of ['Guarde o arquivo assinado', 'type=Signatures']) expect(before).not.toContain(early);
  await runTasks();
  const after = (await page(link)).text;
  for (const kept of ['Guarde o arquivo assinado', 'type=Signatures']) expect(after).toContain(kept);
  expect(after).not.toContain('sendo preparado');
});

test('a locked person and a dead link get a page with words', async () => {
  const link = await stage.invited();
  await post(link, { step: 'code' });
  const right = await stage.mailedCode();
  const emailCode = right === '000000' ? '000001' : '000000';
  let last = '';
  for (let n = 0; n < 6; n++) last = (await sign(link, { emailCode })).text;
  expect(last).toContain('por 15 minutos nenhum código é aceito');
  const dead = await post({ ...link, ticket: 'x'.repeat(43) }, { step: 'code' });
  expect([dead.shown, dead.text]).toEqual([410, expect.stringContaining('Este link não vale mais')]);
});

const codeOf = (answer: { readonly status: number; json(): unknown }): string =>
  answer.status === 200 ? 'signed' : (answer.json() as { code: string }).code;

const codeAt = (secret: string, atMs: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });

test('an authenticator app is set up at the page, confirmed by the signature, and asked for again', async () => {
  const flow = [electronic({ requireAuthenticatorAppToSignElectronically: true })];
  const flowActionOf = async (id: string) => ({ flowActionId: (await current({ id })).flow[0]?.id });
  const early = await stage.document(flow);
  const signEarly = async (otpCode: string) =>
    stage.signFor(early, {
      ...(await flowActionOf(early)),
      authenticationType: 'AuthenticationApp',
      authenticationCode: otpCode,
    });
  expect((await signEarly('123456')).json()).toMatchObject({ code: 'AuthenticatorNotSetUp' });

  const nowMs = Date.parse('2026-11-18T12:00:10Z');
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  const link = await stage.invited(flow);
  expect(forms((await page(link)).text)).toEqual(['app']);
  expect((await post(link, { step: 'app' })).status).toBe(303);
  const [, secret = ''] =
    /<code>([A-Z2-7]{32})<\/code>/.exec((await page(link, { code: 'sent' })).text) ?? [];
  // Another link of the same person does not show it.
  expect((await page(await stage.invitedAgain(link.id))).text).not.toContain(secret);
  await post(link, { step: 'code' });
  const fields = { emailCode: await stage.mailedCode() };
  const wrong = await sign(link, { ...fields, appCode: codeAt(secret, nowMs + 3_600_000) });
  expect(wrong.text).toContain('Restam 5 tentativas');
  const appCode = codeAt(secret, nowMs);
  expect((await sign(link, { ...fields, appCode })).status).toBe(303);
  const [evidence] = await evidencesOf(await current(link));
  expect(evidence && readEvidence(evidence).authenticationTypes).toEqual(['Email', 'AuthenticatorApp']);

  // The same code signs nothing else.
  expect((await signEarly(appCode)).json()).toMatchObject({ code: 'CodeWrong' });
  vi.setSystemTime(nowMs + 30_000);
  expect((await signEarly(codeAt(secret, nowMs + 30_000))).status).toBe(200);
  vi.useRealTimers();
  const reset = () => admin('organizations', 'reset-authenticator', stage.orgId, '529.982.247-25');
  expect([(await reset()).code, (await reset()).code]).toEqual([0, 1]);
});

test('a person shows that they are present in a session of the PKI core, and comes back to the page', async () => {
  const { pki } = stage;
  const link = await stage.linkFor(
    await stage.document([electronic({ requireLivenessAuthenticationToSignElectronically: true })]),
  );
  const { headers, text } = await page(link);
  expect(forms(text)).toEqual(['face']);
  expect(headers['content-security-policy']).toMatch(/form-action 'self' http:\/\/127\.0\.0\.1:\d+;/);
  const signing = async () => codeOf(await stage.signByKey(link));
  expect(await signing()).toBe('AuthenticationRequired');
  pki.outcome.status = 503;
  expect((await post(link, { step: 'face' })).text).toContain('A câmera não pode ser usada agora');
  pki.outcome.status = 200;
  const left = await post(link, { step: 'face' });
  expect([left.status, left.headers.location]).toEqual([303, `https://pki.example/bio/${pki.sessionId}`]);
  expect(pki.asked.at(-1)).toEqual({
    returnUrl: expect.stringMatching(/\/documents\/liveness\/return$/),
    key: 'documents|secret',
  });
  const [cookie = ''] = left.cookies;
  expect(cookie).toContain('HttpOnly');
  const back = await call(comeBack, { headers: { ...BROWSER, Cookie: cookie.split(';')[0] ?? '' } });
  expect([back.status, back.headers.location]).toEqual([
    302,
    expect.stringContaining(`ticket=${link.ticket}`),
  ]);
  expect(
    (await call(comeBack, { headers: { ...BROWSER, Cookie: 'sinete-liveness=//evil.example' } })).status,
  ).toBe(410);

  expect([forms((await page(link)).text), await signing()]).toEqual([['face'], 'AuthenticationRequired']);
  pki.outcome.success = false;
  expect([forms((await page(link)).text), await signing()]).toEqual([['face'], 'LivenessFailed']);
  pki.outcome.success = true;
  const passed = (await page(link)).text;
  expect(forms(passed)).toEqual(['sign']);
  expect(passed).not.toContain('Seis dígitos');
  expect(await signing()).toBe('signed');
});

test('whoever has the code reads who signed electronically and of which kind, beside the seal and not as a signature of it', async () => {
  const bia = { name: 'Bia Lima', identifier: null, email: 'bia@sandbox.example' };
  const id = await stage.document([electronic(), electronic({ step: 2 }, bia)]);
  const { code } = await current({ id });
  const look = () => call(lookUp, { params: { code }, address: randomUUID() });
  const ana = { subjectName: 'Ana Souza', identifier: '***.982.247-**', signatureType: 'Simple' };
  expect((await look()).json()).toMatchObject({ electronicSigners: [], report: null });
  await stage.signByKey(await stage.linkFor(id));
  const before = { electronicSigners: [{ ...ana, outcome: 'undetermined' }], report: null };
  expect((await look()).json()).toMatchObject(before);
  const listed = await call(signaturesByCode, { params: { key: code }, address: randomUUID() });
  expect(listed.json()).toMatchObject({ signers: [{ ...ana, isElectronic: true, evidences: null }] });
  await stage.signByKey(await stage.linkFor(id, { emailAddress: bia.email }));
  await runTasks();
  const after = await look();
  expect(after.json()).toMatchObject({
    status: 'Concluded',
    electronicSigners: [
      { ...ana, outcome: 'valid' },
      { subjectName: 'Bia Lima', outcome: 'valid' },
    ],
    report: { signatures: [{ fieldName: expect.stringMatching(/^Selo /), outcome: 'valid' }] },
  });
  for (const secret of ['52998224725', 'ana@sandbox.example', '203.0.113.7'])
    expect(after.text).not.toContain(secret);
  // A file that is too large to be judged here is not said to have no seal.
  vi.stubEnv('Verification__MaxFileBytes', '1000');
  expect((await look()).json()).toMatchObject({
    electronicSigners: [{ outcome: 'undetermined' }, { outcome: 'undetermined' }],
    report: null,
  });
  vi.stubEnv('Verification__MaxFileBytes', undefined);
});

test('a document that waits is not signed electronically once the organization takes no such signatures', async () => {
  const factors = {
    requireAuthenticatorAppToSignElectronically: true,
    requireLivenessAuthenticationToSignElectronically: true,
  };
  const [plain, strict] = [await stage.invited(), await stage.invited([electronic(factors)])];
  const turn = (isOn: boolean) =>
    updatePreferences(callerFor(stage.orgId), stage.orgId, {
      ...{ language: null, mailSentence: null },
      signingWays: { cloud: true, token: true, electronic: isOn },
    });
  const shown = shownIn((await page(plain, { code: 'sent' })).text);
  const begun = stage.pki.asked.length;
  await turn(false);
  for (const [link, step] of [
    [plain, 'code'],
    [plain, 'sign'],
    [strict, 'app'],
    [strict, 'face'],
  ] as const) {
    const { status, text } = await post(link, { step, agree: 'yes', shown });
    expect([step, status, forms(text)]).toEqual([step, 303, []]);
    expect(text).toContain('<form class="form" id="sign"');
  }
  expect((await stage.signByKey(plain)).json()).toMatchObject({ code: 'ElectronicSignatureNotAllowed' });
  expect([await stage.mailedCode(), stage.pki.asked.length]).toEqual(['', begun]);
  await turn(true);
  expect([forms((await page(plain)).text), forms((await page(strict)).text)]).toEqual([['code'], ['face']]);
});
