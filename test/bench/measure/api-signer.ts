import { sign } from 'node:crypto';
import { handler as complete } from '../../../functions/pki/signatures/endpoints/finish-signature.ts';
import { handler as start } from '../../../functions/pki/signatures/endpoints/prepare-signature.ts';
import { signerOf } from '../../../functions/sandbox/authority/domain/authority.ts';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../infra/local/seed/seed.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { serveSandbox } from '../../cli/sandbox.ts';
import { call, type Request } from '../../requests/http-event.ts';
import { startStores } from './stores.ts';

const HOLDER = '52998224725';

/** The functions of the PKI core in this process, on stores of their own, and a holder of the sandbox who signs. */
export async function apiSigner() {
  const { stop } = await startStores();
  const sandbox = await serveSandbox();
  Object.assign(process.env, {
    SecurityContexts__Others: `${SANDBOX_CONTEXT}=${sandbox.pki('root.crt')}`,
    Network__AllowPrivateAddresses: 'true',
    // The figures go to the stream that the log would be on.
    Log__Level: 'ERROR',
  });
  await seedSandbox();
  const { certificate, privateKey } = signerOf(sandbox.authority, HOLDER);
  const chain = [signerOf(sandbox.authority, 'intermediate').certificate];
  const ask = async <T>(endpoint: Endpoint, request: Request): Promise<T> => {
    const answer = await call(endpoint, { ...request, headers: { 'X-API-Key': SANDBOX_KEY } });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return (answer.text === '' ? answer.headers : answer.json()) as T;
  };
  const content = certificate.der.toString('base64');
  const signed = (data: string) => sign('sha256', Buffer.from(data, 'base64'), privateKey).toString('base64');
  return {
    ask,
    holder: { certificate, privateKey, chain },
    /** Both steps by API. */
    async signByApi(file: object): Promise<void> {
      const json = { file, certificate: { content }, securityContextId: SANDBOX_CONTEXT };
      const { state, toSign } = await ask<{ state: string; toSign: { data: string } }>(start, { json });
      await ask(complete, { json: { state, signature: signed(toSign.data) } });
    },
    async stop(): Promise<void> {
      sandbox.stop();
      await stop();
    },
  };
}
