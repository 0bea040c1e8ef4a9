import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GUEST_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { handler as create } from '../../../functions/session/endpoints/create-session.ts';
import { handler as deactivate } from '../../../functions/session/endpoints/deactivate-session.ts';
import { handler as info } from '../../../functions/session/endpoints/get-certificate-info.ts';
import { handler as health } from '../../../functions/session/endpoints/get-health.ts';
import { handler as openapi } from '../../../functions/session/endpoints/get-openapi.ts';
import { handler as status } from '../../../functions/session/endpoints/get-status.ts';
import { handler as noRoute } from '../../../functions/session/endpoints/refuse-unknown-route.ts';
import { handler as sign } from '../../../functions/session/endpoints/sign-document.ts';
import { errors } from '../../../functions/session/errors.ts';
import { call } from '../../requests/http-event.ts';
import { forFile } from '../../runner/for-file.ts';
import { aSession, createSession, headers } from './a-session.ts';
import { batchOf, fetchSigned, infoOf, isActive, refusal, signatureIdIn, signPdf } from './calls.ts';
import { restoreSettings, setting } from './own-settings.ts';
import { aPdf } from './pdfs.ts';
import { sessionStage } from './stage.ts';

const stage = await forFile(sessionStage());
const pdf = await aPdf();
restoreSettings();

// 4 is in get-document.test.ts, and 6 in sign-document.test.ts and sign-batch.test.ts.
describe('the deliberate differences from the reference', () => {
  test('1: expiresIn is never null: an omitted or null sessionDuration grants the default window, and none is unlimited', async () => {
    for (const more of [{}, { sessionDuration: null }])
      expect(await aSession('52998224725', more)).toMatchObject({ expiresIn: 3600 });
    for (const sessionDuration of [86_401, 1e9, 1e20])
      expect(await aSession('52998224725', { sessionDuration })).toMatchObject({ expiresIn: 86_400 });
  });

  test('2: signing extends a session instead of ending it, unless the deployment sets an allowance of 1', async () => {
    const lasting = await aSession();
    signatureIdIn(await signPdf(lasting.sessionId, pdf));
    expect(await isActive(lasting.sessionId)).toBe(true);
    setting('Sessions:SignatureAllowance', '1');
    const brief = await aSession();
    signatureIdIn(await signPdf(brief.sessionId, pdf));
    expect(await isActive(brief.sessionId)).toBe(false);
  });

  test('3: a certificate is checked by its chain and revocation: one whose issuer no anchor covers is UNTRUSTED', async () => {
    const answers = await Promise.all(
      ['87378011126', '56072386105'].map((cpf) => createSession({ cpf, pin: '1234' })),
    );
    expect(answers.map(refusal)).toEqual([
      [422, 'CERT_NOT_ACTIVE', 'status: UNTRUSTED'],
      [422, 'CERT_NOT_ACTIVE', 'status: REVOKED'],
    ]);
  });

  test('5: cpf must be a real CPF, although the pattern stays ^[0-9]{11}$', async () => {
    const repeated = Array.from({ length: 10 }, (_, digit) => String(digit).repeat(11));
    for (const cpf of ['52998224724', ...repeated])
      expect(refusal(await createSession({ cpf, pin: '1234' }))).toEqual([
        400,
        'INVALID_REQUEST',
        expect.stringContaining('cpf'),
      ]);
    const document = JSON.parse(readFileSync('functions/session/openapi.json', 'utf8'));
    expect(JSON.stringify(document.components.schemas.CreateSession.properties.cpf)).toContain('^[0-9]{11}$');
  });

  test('7: the server sheds load with 429 SERVER_BUSY, and sends no Retry-After', async () => {
    setting('Throttle:ConcurrencyLimit', '1');
    setting('Throttle:QueueLimit', '0');
    const held = Promise.withResolvers<void>();
    stage.platform.interfere = async () => {
      await held.promise;
      return { status: 503 };
    };
    setting('Throttle:ConcurrencyLimit', '2');
    const { sessionId } = await aSession();
    setting('Throttle:ConcurrencyLimit', '1');
    const before = stage.platform.calls.length;
    const inside = signPdf(sessionId, pdf);
    await expect.poll(() => stage.platform.calls.length).toBeGreaterThan(before);
    const answer = await call(status, { headers, query: { sessionId } });
    const others = await Promise.all([call(health), call(openapi), call(noRoute, { headers })]);
    held.resolve();
    await inside;
    stage.platform.interfere = () => undefined;
    expect(refusal(answer).slice(0, 2)).toEqual([429, 'SERVER_BUSY']);
    expect(Object.keys(answer.headers)).not.toContain('retry-after');
    // What is no operation of the contract is answered all the same.
    expect(others.map((each) => each.status)).toEqual([200, 200, 404]);
    expect(await isActive(sessionId)).toBe(true);
  });

  test('8: seven fields on certificates/info, acceptedAt on the batch, and a session with no workstation and no prompt', async () => {
    const { sessionId } = await aSession();
    expect(Object.keys((await infoOf(sessionId)).json() as object)).toHaveLength(7);
    expect((await batchOf(sessionId, [{ name: 'a.pdf', bytes: pdf }])).json()).toHaveProperty('acceptedAt');
  });
});

describe('every operation', () => {
  test('takes any key of any application: a key scopes nothing, and whoever holds the session’s id uses it', async () => {
    const { sessionId } = await aSession();
    const guest = { headers: { 'X-API-Key': GUEST_KEY } };
    const document = pdf.toString('base64');
    const signed = await call(sign, { ...guest, json: { sessionId, document, fileName: 'a.pdf' } });
    const answers = [
      await call(status, { ...guest, query: { sessionId } }),
      await call(info, { ...guest, query: { sessionId } }),
      signed,
      await fetchSigned(signatureIdIn(signed), GUEST_KEY),
      await call(deactivate, { ...guest, json: { sessionId } }),
      await call(create, { ...guest, json: { cpf: '52998224725', pin: '1234' } }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 202, 200, 200, 201]);
  });
});

describe('outside /v1', () => {
  test('the contract is served as OpenAPI 3.1 without a credential, with all seven operations and every error code', async () => {
    const answer = await call(openapi);
    const document = answer.json() as { openapi: string; paths: object };
    // The last is for what is no operation.
    const missing = Object.keys(errors.rows).filter((code) => !answer.text.includes(`\`${code}\``));
    expect(missing).toEqual(['ENDPOINT_NOT_FOUND']);
    expect([answer.status, document.openapi.slice(0, 3)]).toEqual([200, '3.1']);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/v1/sessions',
        '/v1/sessions/status',
        '/v1/sessions/deactivate',
        '/v1/certificates/info',
        '/v1/signatures',
        '/v1/signatures/batch',
        '/v1/signatures/{signatureId}/document',
      ]),
    );
  });

  test('the version of that document is the build’s, and says nothing of the wire', async () => {
    const { info: told } = (await call(openapi)).json() as { info: { version: string } };
    expect(told.version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });
});
