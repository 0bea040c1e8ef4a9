import { sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { trustAnchors } from '../../../shared/pki/trust-anchors.ts';
import { createSignerJudge } from '../../../shared/pki/verdict/certificate-judge.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { cleanUp, type EngineProcess, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import type { Figure } from '../measure/figures.ts';
import { inTurns } from '../measure/load.ts';

const COMPLETED = 400;
// With ten, the engine waits a seventh of the time: each call waits for the disk twice.
const AT_ONCE = 20;
const WARM_UP = 8;

const headers = { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' };

type Signer = Awaited<ReturnType<typeof openPkcs12>>['entries'][number];

/** Completing an authentication on the running engine, against its mathematics alone in one process. */
export async function figures(): Promise<Figure[]> {
  const engine = await startEngineProcess({ env: { Log__Level: 'INFO' } });
  try {
    await engine.ready();
    joinEngine(engine.dataDir);
    process.env.Network__AllowPrivateAddresses = 'true';
    const signer = await holderOf(engine);
    // An engine that has run for a minute has its code compiled; the bare loop has that after a few rounds.
    for (let n = 0; n < WARM_UP; n++) await completesPerSecond(engine, signer);
    const { ratio, ours, theirs } = await inTurns(
      () => completesPerSecond(engine, signer),
      () => rawPerSecond(engine, signer),
    );
    return [
      {
        name: 'completing an authentication against its signature and a path with cached revocation',
        ratio,
        promised: { atLeast: 0.45 },
        detail: `${ours} and ${theirs} a second; HTTP and two calls of the store are the rest`,
      },
    ];
  } finally {
    await cleanUp();
  }
}

/** A person of the sandbox, who has a certificate file. */
export async function holderOf(engine: EngineProcess): Promise<Signer> {
  const { entries } = await openPkcs12(readFileSync(fileOf(engine, 'holders/52998224725.p12')), '1234');
  const [signer] = entries;
  if (!signer) throw new Error('The holder has no key.');
  return signer;
}

const fileOf = ({ dataDir }: EngineProcess, name: string): string => join(dataDir, 'pki', name);

/** Each state is good once, so that all are prepared and signed before the clock runs. */
export async function completesPerSecond({ url }: EngineProcess, signer: Signer): Promise<number> {
  // fetch() takes half as long for a call as the engine does: the caller would be measured.
  const pool = new Pool(url, { connections: AT_ONCE });
  const ask = async <T>(below: string, body: object): Promise<T> => {
    const path = `/pki/api/v2${below}`;
    const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
    if (answer.statusCode !== 200)
      throw new Error(`${path}: ${answer.statusCode} ${await answer.body.text()}`);
    return (await answer.body.json()) as T;
  };
  const certificate = signer.certificate.der.toString('base64');
  const proofs = await severalAtOnce(async () => {
    const { state, toSign } = await ask<{ state: string; toSign: { data: string } }>('/authentication', {
      securityContextId: SANDBOX_CONTEXT,
    });
    const signature = sign('sha256', Buffer.from(toSign.data, 'base64'), signer.privateKey);
    return { state, certificate, signature: signature.toString('base64') };
  });
  const start = performance.now();
  await severalAtOnce(async (n) => {
    const { success } = await ask<{ success: boolean }>('/authentication/completion', proofs[n] ?? {});
    if (!success) throw new Error('An authentication was not believed.');
  });
  const perSecond = (COMPLETED * 1000) / (performance.now() - start);
  await pool.close();
  return perSecond;
}

async function severalAtOnce<T>(work: (n: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  let next = 0;
  const line = async () => {
    for (let n = next++; n < COMPLETED; n = next++) done[n] = await work(n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  return done;
}

const judge = createSignerJudge('pki', {
  'Certificates:Validation:RevocationGraceWindow': 86_400,
  'Certificates:Validation:RevocationTimeout': 5,
  'Certificates:Validation:CheckTimeout': 20,
});

/** The signature and the certificate's path; revocation lists are in memory after the first. */
async function rawPerSecond(engine: EngineProcess, { certificate, privateKey }: Signer): Promise<number> {
  const anchors = trustAnchors(fileOf(engine, 'root.crt'));
  const nonce = Buffer.alloc(32, 7);
  const signature = sign('sha256', nonce, privateKey);
  const once = async () => {
    const isGood = verify('sha256', nonce, certificate.publicKey, signature);
    const { status } = await judge(certificate, Date.now(), { anchors });
    if (!isGood || status !== 'ACTIVE') throw new Error(`The certificate is ${status}.`);
  };
  await once();
  const start = performance.now();
  for (let n = 0; n < COMPLETED; n++) await once();
  return (COMPLETED * 1000) / (performance.now() - start);
}
