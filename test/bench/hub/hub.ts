import { createHash, randomBytes } from 'node:crypto';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { cleanUp, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import type { Figure } from '../measure/figures.ts';
import { inTurns, perSecond } from '../measure/load.ts';

const CPF = '52998224725';
const ALIAS = 'alpha-3';
const SHA256_OID = '2.16.840.1.101.3.4.2.1';
const json = { 'content-type': 'application/json' };
const hash = createHash('sha256').update('bench').digest('base64');

/** sign-hash through the hub and the sandbox's provider, against the provider alone, on one engine. */
export async function figures(): Promise<Figure[]> {
  const engine = await startEngineProcess();
  await engine.ready();
  try {
    const [session, token] = [await sessionAt(engine.url), await tokenAt(engine.url)];
    const throughHub = {
      url: `${engine.url}/hub/api/sessions/sign-hash`,
      headers: { ...json, 'x-api-key': SANDBOX_KEY },
      body: JSON.stringify({ session, hash, digestAlgorithm: 'SHA-256', certificateAlias: ALIAS }),
    };
    const atProvider = {
      url: `${engine.url}/sandbox/providers/alpha/v0/oauth/signature`,
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({
        certificate_alias: ALIAS,
        hashes: [{ id: '1', alias: 'bench', hash, hash_algorithm: SHA256_OID, signature_format: 'RAW' }],
      }),
    };
    const hub = () => perSecond({ ...throughHub, method: 'POST' });
    const provider = () => perSecond({ ...atProvider, method: 'POST' });
    await hub();
    const { ratio, ours, theirs } = await inTurns(hub, provider);
    return [
      {
        name: 'sign-hash through the hub and a provider, against the provider alone',
        ratio,
        promised: { atLeast: 0.4 },
        detail: `${ours} and ${theirs} signatures/s`,
      },
    ];
  } finally {
    await cleanUp();
  }
}

/** Where an approved request leads. */
async function approved(authUrl: string): Promise<URL> {
  const body = new URLSearchParams({ decision: 'approve' });
  const answer = await fetch(authUrl, { method: 'POST', body, redirect: 'manual' });
  return new URL(String(answer.headers.get('location')));
}

const queryValue = (url: URL, name: string): string => String(url.searchParams.get(name));

async function sessionAt(root: string): Promise<string> {
  const asked = await fetch(`${root}/hub/api/sessions/services/alpha`, {
    method: 'POST',
    headers: { ...json, 'x-api-key': SANDBOX_KEY },
    body: JSON.stringify({
      redirectUri: `${root}/sandbox/client/return`,
      identifier: CPF,
      type: 'SignatureSession',
      lifetimeInSeconds: 900,
    }),
  });
  const { authUrl } = (await asked.json()) as { authUrl: string };
  const back = await fetch(await approved(authUrl), { redirect: 'manual' });
  return queryValue(new URL(String(back.headers.get('location'))), 'session');
}

async function tokenAt(root: string): Promise<string> {
  const oauth = `${root}/sandbox/providers/alpha/v0/oauth`;
  const verifier = randomBytes(32).toString('base64url');
  const client = { client_id: 'sinete-hub', redirect_uri: `${root}/hub/api/sessions/callback` };
  const query = new URLSearchParams({
    ...client,
    response_type: 'code',
    state: 'bench',
    scope: 'signature_session',
    lifetime: '900',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: CPF,
  });
  const code = queryValue(await approved(`${oauth}/authorize?${query}`), 'code');
  const body = new URLSearchParams({
    ...client,
    grant_type: 'authorization_code',
    client_secret: 'sinete-local-secret',
    code,
    code_verifier: verifier,
  });
  const answer = await fetch(`${oauth}/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}
