import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { signatureSessions } from '../../../../functions/pki/signature-sessions/domain/session.ts';
import { GUEST_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import {
  createApplication,
  issueKey,
  setDisabled,
  unregisterValue,
} from '../../../../shared/access/administration.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { authenticationStage } from '../authentication/stage.ts';
import {
  aSession,
  ask,
  BY_KEY,
  byToken,
  inline,
  makeFilesOf,
  OPERATIONS,
  type Operation,
  paramsOf,
  type Session,
  signatureOver,
  signing,
  starting,
} from './stage.ts';

const stage = await forFile(authenticationStage());
const session = await aSession();
afterEach(() => vi.useRealTimers());

const CERTIFICATE = { certificate: 'MIIB' };
const VALUE = { state: 'x', signature: 'AAAA' };
const OWN = { name: 'x', contentType: '', token: 'x', partETags: ['x'] };
const BODIES: Partial<Record<Operation, object>> = {
  ...{ add: inline('x'), start: CERTIFICATE, complete: VALUE, addOwn: OWN },
};

const visit = (operation: Operation, headers: Record<string, string>, of: Session = session) => {
  const json = BODIES[operation];
  return ask(operation, headers, { params: paramsOf(of), ...(json && { json }) });
};

const BY_PERSON = ['start', 'complete', 'cancel', 'beginOwn', 'addOwn', 'removeOwn'] as const;
const BY_TOKEN = ['read', 'content', 'awaitEnd', 'progress', ...BY_PERSON] as const;
const VISITS = ['add', ...BY_TOKEN] as const;

describe('the token of a session', () => {
  test('is 256 bits of base64url behind the # of the address, and is kept as its hash alone', async () => {
    expect(session.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(session.redirectUrl).toBe(
      `http://localhost:3000/pki/signature-sessions/${session.sessionId}#${session.token}`,
    );
    expect(JSON.stringify(await signatureSessions.get(session.sessionId))).not.toContain(session.token);
  });

  test.each(BY_PERSON)('is required to %s: a key alone is not enough', async (operation) => {
    expect(await visit(operation, BY_KEY)).toMatchObject({
      http: 422,
      code: 'SignatureSessionTokenRequired',
    });
  });

  test.each(VISITS)(
    'is looked at wherever it is sent: %s refuses a wrong one beside a good key',
    async (operation) => {
      for (const token of ['', 'x', `${'A'.repeat(42)}=`, randomBytes(32).toString('base64url')])
        expect(await visit(operation, { ...BY_KEY, ...byToken({ token }) })).toMatchObject({
          http: 422,
          code: 'BadSignatureSessionToken',
        });
    },
  );

  test('opens its own session and no other', async () => {
    const other = await aSession();
    expect(await visit('read', byToken(other))).toMatchObject({ code: 'BadSignatureSessionToken' });
    expect(await visit('read', byToken(session))).toMatchObject({ http: 200, status: 'Pending' });
  });

  test('ends after four hours, and its session with it', async () => {
    const old = await aSession();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * 3_600_000 - 5_000 });
    expect(await visit('read', byToken(old), old)).toMatchObject({ status: 'Pending' });
    vi.setSystemTime(Date.now() + 10_000);
    for (const operation of BY_TOKEN)
      expect(await visit(operation, byToken(old), old)).toMatchObject({
        http: 422,
        code: 'ExpiredSignatureSessionToken',
      });
    expect(await visit('read', BY_KEY, old)).toMatchObject({ http: 200, status: 'Expired' });
    expect(await visit('awaitEnd', BY_KEY, old)).toMatchObject({ http: 200, status: 'Expired' });
    vi.setSystemTime(Date.now() + 86_400_000);
    expect(await visit('read', BY_KEY, old)).toMatchObject({ code: 'SignatureSessionNotFound' });
  });
});

describe('a key', () => {
  test.each(VISITS)(
    'or a token is asked for by %s, and a key without the permission is told apart',
    async (operation) => {
      expect((await visit(operation, {})).http).toBe(401);
      expect((await visit(operation, { 'X-API-Key': 'nobody|x', ...byToken(session) })).http).toBe(401);
      expect((await visit(operation, { 'X-API-Key': GUEST_KEY, ...byToken(session) })).http).toBe(403);
    },
  );

  test('of another application sees no session, even with its token', async () => {
    const name = `other-${randomUUID().slice(0, 8)}`;
    await createApplication('pki', { name, permissions: ['signature-sessions'], registered: {} });
    const { text } = await issueKey('pki', name);
    for (const operation of VISITS)
      expect(await visit(operation, { 'X-API-Key': text, ...byToken(session) })).toMatchObject({
        http: 422,
        code: 'SignatureSessionNotFound',
      });
  });
});

describe('a session is not created', () => {
  const create = (json: object) =>
    ask('create', BY_KEY, { json: { returnUrl: 'http://localhost:9999/return', ...json } });

  test.each([
    [
      'with a return address that is not registered to the letter',
      { returnUrl: 'http://localhost:9999/return/' },
      'ReturnUrlNotRegistered',
    ],
    [
      'under a security context that nobody named',
      { securityContextId: randomUUID() },
      'SecurityContextNotFound',
    ],
    [
      'with more documents than allowed',
      { documents: Array.from({ length: 21 }, () => inline('x')) },
      'TooManyDocuments',
    ],
  ])('%s', async (_, json, code) => {
    expect(await create(json)).toMatchObject({ http: 422, code });
  });

  test('with a document that is too large, and the answer tells both sizes', async () => {
    vi.stubEnv('SignatureSessions__MaxDocumentBytes', '10');
    try {
      expect(await create({ documents: [inline('eleven bytes')] })).toMatchObject({
        http: 413,
        details: { limitBytes: '10', actualBytes: '12' },
      });
    } finally {
      vi.stubEnv('SignatureSessions__MaxDocumentBytes', undefined);
    }
  });
});

describe('a signature is not taken', () => {
  test('for a document that the session has not', async () => {
    const params = { sessionId: session.sessionId, documentId: randomUUID() };
    for (const [operation, json] of [
      ['start', CERTIFICATE],
      ['complete', VALUE],
    ] as const)
      expect(await ask(operation, byToken(session), { params, json })).toMatchObject({
        code: 'DocumentNotFound',
      });
    expect(await ask('content', byToken(session), { params })).toMatchObject({ code: 'DocumentNotFound' });
  });

  test('from a certificate that cannot be read', async () => {
    expect(await visit('start', byToken(session))).toMatchObject({ code: 'PKCertificateMalformed' });
  });

  test.each([
    ['expired', '12345678909', 'CertificateExpired'],
    ['revoked', '56072386105', 'CertificateRevoked'],
  ])('from a certificate that is %s, and the answer says why', async (_, cpf, type) => {
    const answer = await starting(session, stage.holder(cpf));
    expect(answer).toMatchObject({
      http: 200,
      success: false,
      failure: 'CertificateFailedValidation',
      state: null,
      toSign: null,
    });
    expect(JSON.stringify(answer.validationResults)).toContain(type);
  });

  test('when it is over something else, by another key, of another document or too late', async () => {
    const own = await aSession([inline('one'), inline('two')]);
    const signer = stage.holder();
    const started = await starting(own, signer);
    const send = (json: object, index = 0) =>
      ask('complete', byToken(own), { params: paramsOf(own, index), json });
    const { state } = started;
    const good = { state, signature: signatureOver(started, signer) };
    const another = signatureOver(await starting(own, signer, 1), signer);
    const byOther = signatureOver(started, stage.holderWith('rsa2048'));
    expect(await send({ state, signature: byOther })).toMatchObject({ code: 'InvalidSignature' });
    expect(await send({ state, signature: another })).toMatchObject({ code: 'InvalidSignature' });
    expect(await send(good, 1)).toMatchObject({ code: 'InvalidToken' });
    expect(await send({ ...good, state: 'x' })).toMatchObject({ code: 'InvalidToken' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    expect(await send(good)).toMatchObject({ code: 'InvalidToken' });
    vi.useRealTimers();
    expect(await send(good)).toMatchObject({ http: 200, success: true });
    expect(await send(good)).toMatchObject({ code: 'BadSignatureSessionOperation' });
  });

  test('for a PDF that cannot be signed', async () => {
    const broken = await aSession([inline('%PDF-1.7\nnothing', 'broken.pdf')]);
    expect(await starting(broken, stage.holder())).toMatchObject({ code: 'DocumentNotSignable' });
  });
});

describe('completion', () => {
  test('cannot be awaited while the person has not signed', async () => {
    expect(await visit('awaitEnd', BY_KEY)).toMatchObject({
      http: 422,
      code: 'BadSignatureSessionOperation',
    });
  });

  test('is told as going on in the background, by everything that waits for it', async () => {
    vi.stubEnv('SignatureSessions__CompletionWait', '0');
    const own = await aSession();
    await signing(own, stage.holder());
    const signed = { params: paramsOf(own), query: { type: 'Signed' }, headers: BY_KEY };
    expect(await visit('awaitEnd', BY_KEY, own)).toMatchObject({ http: 422, code: 'BackgroundProcessing' });
    expect(await visit('cancel', byToken(own), own)).toMatchObject({ code: 'BackgroundProcessing' });
    expect(await visit('start', byToken(own), own)).toMatchObject({ code: 'BackgroundProcessing' });
    expect(await visit('add', BY_KEY, own)).toMatchObject({ code: 'BackgroundProcessing' });
    expect((await call(OPERATIONS.content, signed)).json()).toMatchObject({ code: 'BackgroundProcessing' });
    await makeFilesOf(own);
    expect(await visit('awaitEnd', BY_KEY, own)).toMatchObject({ http: 200, status: 'Completed' });
  });
});

test('the address that a person goes back to is told to nobody once it is unregistered, or its application is disabled', async () => {
  const name = `away-${randomUUID()}`;
  const returnUrl = 'https://app.example/return';
  await createApplication('pki', {
    name,
    permissions: ['signature-sessions'],
    registered: { returnUrls: [returnUrl] },
  });
  const { text } = await issueKey('pki', name);
  const json = { returnUrl, documents: [inline('one')] };
  const own = (await ask('create', { 'X-API-Key': text }, { json })) as unknown as Session;
  const told = async () => (await ask('read', byToken(own), { params: paramsOf(own) })).returnUrl;
  expect(await told()).toBe(returnUrl);
  await setDisabled('pki', name, true);
  expect(await told()).toBeNull();
  await setDisabled('pki', name, false);
  await unregisterValue('pki', name, 'returnUrls', returnUrl);
  expect(await told()).toBeNull();
});
