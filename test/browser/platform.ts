import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAuthority, signerOf } from '../../functions/sandbox/authority/domain/authority.ts';
import { holderProfile } from '../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { placesOf } from '../../functions/sandbox/authority/domain/make-authority.ts';
import { SANDBOX_KEY } from '../../functions/sandbox/sandbox-data.ts';
import { readEngine } from '../../infra/local/engine/engine-file.ts';
import { useStores } from '../../infra/local/stores/endpoints.ts';
import { openPkcs12 } from '../../shared/pki/pkcs12/open.ts';
import { localKey } from '../../shared/signing/key.ts';
import { below, type Holder } from '../certificates/pki.ts';

export type GivenFile = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly type: string;
};
export type Platform = ReturnType<typeof platformOf>;

/** The document platform of a running engine, as an application uses it. */
export function platformOf(
  { url, dataDir }: { readonly url: string; readonly dataDir: string },
  apiKey = SANDBOX_KEY,
) {
  const ask = async <T>(method: string, path: string, body?: FormData | object): Promise<T> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${url}/documents/api/${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const holderFile = (cpf: string): string => join(dataDir, 'pki/holders', `${cpf}.p12`);
  const holder = async (cpf: string): Promise<Holder> => {
    const { entries } = await openPkcs12(readFileSync(holderFile(cpf)), '1234');
    const [entry] = entries;
    if (!entry) throw new Error(`${cpf} has no key.`);
    return entry;
  };

  return {
    holderFile,
    holder,

    /** A document that waits for its flow. */
    async document(
      { bytes, name, type }: GivenFile,
      flowActions: readonly object[],
      more: object = {},
    ): Promise<string> {
      const form = new FormData();
      form.set('file', new Blob([bytes], { type }), name);
      const { id } = await ask<{ id: string }>('POST', 'uploads', form);
      const files = [{ id, name, displayName: name.replace(/\.\w+$/, ''), contentType: type }];
      const made = await ask<{ documentId: string }[]>('POST', 'documents', { files, flowActions, ...more });
      return made[0]?.documentId ?? '';
    },

    /** The links that somebody is sent. */
    links: (id: string, who: object) =>
      ask<{ url: string; embedUrl: string }>('POST', `documents/${id}/action-url`, who),

    read: (id: string) =>
      ask<{ status: string; statusUpdateReason: string | null; flowActions: { status: string }[] }>(
        'GET',
        `documents/${id}`,
      ),

    /** The code of a document, and who signed it. */
    signatures: (id: string) =>
      ask<{ key: string; signers: { evidences: Readonly<Record<string, unknown>> | null }[] }>(
        'GET',
        `documents/${id}/signatures-details`,
      ),

    /** Signs as somebody with another program would. */
    async sign(id: string, cpf: string): Promise<void> {
      const { privateKey, certificate, chain } = await holder(cpf);
      const started = await ask<{ token: string; toSignHash: string }>(
        'POST',
        `documents/${id}/signature/certificate`,
        {
          certificate: certificate.der.toString('base64'),
        },
      );
      const hash = Buffer.from(started.toSignHash, 'base64');
      const signature = await localKey(privateKey, certificate, chain).signHash('sha256', hash);
      const completed = { token: started.token, signature: signature.toString('base64') };
      await ask('POST', `documents/${id}/signature`, completed);
    },

    /** Somebody with another kind of key than the sandbox's holders have, by the engine's own authority. */
    async certified(privateKey: KeyObject, cpf: string): Promise<Holder> {
      const engine = readEngine(dataDir);
      if (!engine) throw new Error('The engine does not run.');
      useStores(engine.env);
      const intermediate = signerOf(await findAuthority(), 'intermediate');
      const { crl = [], caIssuers = [] } = placesOf('intermediate', url);
      return below({ ...intermediate, chain: [] }, privateKey, (keys) => ({
        subject: [['commonName', `PESSOA DE TESTE:${cpf}`]],
        notBeforeMs: Date.now() - 60_000,
        notAfterMs: Date.now() + 86_400_000,
        extensions: holderProfile({
          ...keys,
          holder: { person: { cpf, birthDate: '01021980' } },
          policies: ['2.16.76.1.2.1.999'],
          places: { crl, caIssuers },
        }),
      }));
    },
  };
}

// In threes, so that base64 of a part is a part of the base64 of the whole.
const TAIL_BYTES = 90;

/** The private numbers of a key, in the forms in which something could carry them away. */
export function tracesOf(privateKey: KeyObject): string[] {
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const tail = der.subarray(Math.floor((der.length - TAIL_BYTES) / 3) * 3);
  const { d = '' } = privateKey.export({ format: 'jwk' });
  const secret = Buffer.from(d, 'base64url');
  return [tail.toString('base64').slice(0, 80), d.slice(0, 40), secret.toString('hex').slice(0, 40)];
}
