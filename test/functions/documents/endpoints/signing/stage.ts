import type { KeyObject } from 'node:crypto';
import { vi } from 'vitest';
import { signerOf } from '../../../../../functions/sandbox/authority/domain/authority.ts';
import { holderProfile } from '../../../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { placesOf } from '../../../../../functions/sandbox/authority/domain/make-authority.ts';
import type { Certificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { localKey, type SigningKey } from '../../../../../shared/signing/key.ts';
import { below, type KeyKind, testKey } from '../../../../certificates/pki.ts';
import { serveSandbox } from '../../../../cli/sandbox.ts';
import { ownOrganization } from '../../own-organization.ts';

export type Stage = Awaited<ReturnType<typeof signingStage>>;

/** A trusted authority that publishes CRLs and OCSP responses, and an organization with its own key. */
export async function signingStage() {
  const sandbox = await serveSandbox();
  vi.stubEnv('Certificates__TrustAnchors', sandbox.pki('root.crt'));
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  const { authority, url } = sandbox;
  const intermediate = signerOf(authority, 'intermediate');

  /** A person's certificate by the sandbox's authority, for any key. */
  const certified = (privateKey: KeyObject, cpf: string): Certificate => {
    const { crl = [], caIssuers = [] } = placesOf('intermediate', url);
    const { certificate } = below({ ...intermediate, chain: [] }, privateKey, (keys) => ({
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
    return certificate;
  };

  return {
    ...(await ownOrganization()),
    /** The value of Certificates:TrustAnchors. */
    rootFile: sandbox.pki('root.crt'),
    root: signerOf(authority, 'root').certificate,
    intermediate: intermediate.certificate,
    timestampUrl: `${url}/sandbox/pki/timestamp`,
    /** The key of a holder of the sandbox, by CPF or CNPJ. */
    holder(name: string): SigningKey {
      const { privateKey, certificate } = signerOf(authority, name);
      return localKey(privateKey, certificate, []);
    },
    certified,
    /** A holder with another kind of key than the sandbox's holders have. */
    holderWith: (kind: KeyKind, cpf: string): SigningKey =>
      localKey(testKey(kind, cpf), certified(testKey(kind, cpf), cpf), []),
    stop() {
      sandbox.stop();
      vi.unstubAllEnvs();
    },
  };
}
