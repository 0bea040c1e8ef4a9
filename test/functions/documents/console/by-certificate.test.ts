import { afterAll, expect, test, vi } from 'vitest';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../requests/http-event.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { authenticationStage, OPERATIONS, offerOf } from '../../pki/authentication/stage.ts';
import { atLogin, sessionOf, visitorWith } from './member-stage.ts';

// The owner of the sandbox's organization is a member by the CPF of the usual holder.
const stage = await authenticationStage();

/** The two operations of the PKI core, over HTTP. */
const core = await startServer(async (request, response) => {
  const handler = request.url?.endsWith('/completion') ? OPERATIONS.complete : OPERATIONS.prepare;
  const body = Buffer.concat(await request.toArray()).toString('utf8');
  const answer = await call(handler, { headers: request.headers as Record<string, string>, body });
  response.writeHead(answer.status, answer.headers).end(answer.bytes);
});
vi.stubEnv('PkiCore__BaseAddress', core.url);
vi.stubEnv('PkiCore__ApiKey', SANDBOX_KEY);
vi.stubEnv('PkiCore__SecurityContextId', SANDBOX_CONTEXT);
afterAll(async () => {
  await core.stop();
  stage.stop();
});

/** What the form of the page sends, signed by this holder. */
async function proofOf(holder: string) {
  const { text } = await atLogin.show('certificate');
  const [, state = ''] = /name="state" value="([^"]+)"/.exec(text) ?? [];
  const [, toSign = ''] = /data-to-sign="([^"]+)"/.exec(text) ?? [];
  return { state, ...offerOf(stage.holder(holder), toSign) };
}

test('a certificate logs in whoever is a member by its CPF, once', async () => {
  expect((await atLogin.show()).text).toContain('Log in with your certificate');
  const proof = await proofOf('52998224725');
  const { status, headers, cookies } = await atLogin.send('certificate', proof);
  expect([status, headers.location]).toEqual([303, '/documents/console']);
  const { text } = await visitorWith(sessionOf(cookies)).show('organization');
  expect(text).toContain('SANDBOX HOLDER 52998224725');
  // Replay: the state is good for one log-in.
  expect((await atLogin.send('certificate', proof)).status).toBe(403);
});

test.each([
  ['is revoked', '56072386105'],
  ['has expired', '12345678909'],
  ['is of a company, whose key others keep too', '11222333000181'],
  ['is of nobody who is a member', '47363361886'],
])('a certificate that %s logs nobody in', async (_, holder) => {
  const { status, cookies } = await atLogin.send('certificate', await proofOf(holder));
  expect([status, sessionOf(cookies)]).toEqual([403, '']);
});

test('a signature of another key logs nobody in, and neither does a form without one', async () => {
  const [proof, other] = [await proofOf('52998224725'), await proofOf('47363361886')];
  const forged = { ...proof, signature: other.signature };
  expect((await atLogin.send('certificate', forged)).status).toBe(403);
  expect((await atLogin.send('certificate', {})).status).toBe(403);
});

test('without a key for a PKI core there is no such way, and one that is away says so', async () => {
  vi.stubEnv('PkiCore__BaseAddress', 'http://127.0.0.1:9');
  expect((await atLogin.show('certificate')).status).toBe(503);
  vi.stubEnv('PkiCore__ApiKey', '');
  expect((await atLogin.show('certificate')).status).toBe(404);
  expect((await atLogin.send('certificate', {})).status).toBe(404);
});
