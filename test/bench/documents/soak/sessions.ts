import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { importPkcs12 } from '../../../../functions/session/domain/vault/import.ts';
import { handler as createSession } from '../../../../functions/session/endpoints/create-session.ts';
import { handler as signBatch } from '../../../../functions/session/endpoints/sign-batch.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import { writePkcs12 } from '../../../../shared/pki/pkcs12/write.ts';
import { serveSandbox } from '../../../cli/sandbox.ts';
import { aPdf } from '../../../functions/session/pdfs.ts';
import { servePlatform } from '../../../functions/session/platform.ts';
import { call, lambdaContext } from '../../../requests/http-event.ts';
import type { Target } from './documents.ts';

const CPF = '52998224725';
const PIN = '1234';
const LIFE_MS = 120_000; // as functions.yml gives the function

/** The session server before our document platform, with one holder's certificate in its vault. */
export async function startSessionServer({ key }: Target) {
  const sandbox = await serveSandbox();
  const platform = await servePlatform();
  Object.assign(process.env, {
    Certificates__TrustAnchors: sandbox.pki('root.crt'),
    Network__AllowPrivateAddresses: 'true',
    Sessions__Epoch: 'soak',
    Signer__BaseAddress: platform.url,
    Signer__ApiKey: key,
  });
  await importPkcs12(await writePkcs12(signerOf(sandbox.authority, CPF), PIN, 1_000), PIN, Date.now());
  await createApplication('session', { name: 'soak', permissions: [], registered: {} });
  const headers = { 'X-API-Key': (await issueKey('session', 'soak')).text };
  const created = await call(
    createSession,
    { headers, json: { cpf: CPF, pin: PIN } },
    lambdaContext(LIFE_MS),
  );
  const { sessionId } = created.json() as { sessionId: string };
  const pdf = new Blob([new Uint8Array(await aPdf())], { type: 'application/pdf' });
  return {
    /** Signs so many documents in one call. Answers how many were not signed; all, where the call failed. */
    async signBatch(documents: number): Promise<number> {
      const form = new FormData();
      form.append('sessionId', sessionId);
      for (let n = 0; n < documents; n++) form.append('files', pdf, `contract ${n}.pdf`);
      const request = new Response(form);
      const answer = await call(
        signBatch,
        {
          headers: { ...headers, 'Content-Type': request.headers.get('content-type') ?? '' },
          body: Buffer.from(await request.arrayBuffer()),
        },
        lambdaContext(LIFE_MS),
      );
      if (answer.status !== 202) return documents;
      const { results } = answer.json() as { results: { status: string }[] };
      return results.filter(({ status }) => status === 'ERROR').length;
    },
    stop() {
      platform.stop();
      sandbox.stop();
    },
  };
}
