import { signerOf } from '../../../functions/sandbox/authority/domain/authority.ts';
import { holderProfile } from '../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { placesOf } from '../../../functions/sandbox/authority/domain/make-authority.ts';
import { writePkcs12 } from '../../../shared/pki/pkcs12/write.ts';
import { below, type Holder, testKey } from '../../certificates/pki.ts';
import type { ServedSandbox } from '../../cli/sandbox.ts';

const DAY_MS = 86_400_000;
const PKCS12_ROUNDS = 1_000; // tests open files often, and keep nothing in them

type IssueOptions = {
  readonly cpf: string;
  readonly pin: string;
  readonly email?: string;
  readonly isExpired?: boolean;
  /** Whoever has several has a key for each. */
  readonly key?: string;
  /** Where the certificate of its issuer is said to be, in place of where it is. */
  readonly issuerAddress?: string;
  /** Whether the file has the certificates above it too. */
  readonly hasChain?: boolean;
};

export type IssuedCertificate = Holder & { readonly p12: Buffer };

/** A certificate by the sandbox's authority, in a file that the PIN opens. */
export async function issueCertificate(
  { authority, url }: ServedSandbox,
  options: IssueOptions,
): Promise<IssuedCertificate> {
  const { cpf, pin, email, isExpired = false, key = '', issuerAddress, hasChain = false } = options;
  const privateKey = testKey('rsa2048', `${cpf}${key}`);
  const { crl = [], caIssuers = [] } = placesOf('intermediate', url);
  const issuer = { ...signerOf(authority, 'intermediate'), chain: [] };
  const holder = below(issuer, privateKey, (keys) => ({
    subject: [['commonName', `PESSOA DE TESTE:${cpf}`]],
    notBeforeMs: Date.now() - (isExpired ? 10 * DAY_MS : DAY_MS),
    notAfterMs: Date.now() + (isExpired ? -1 : 300) * DAY_MS,
    extensions: holderProfile({
      ...keys,
      holder: { person: { cpf, birthDate: '01021980' }, ...(email && { email }) },
      policies: ['2.16.76.1.2.1.999'],
      places: { crl, caIssuers: issuerAddress === undefined ? caIssuers : [issuerAddress] },
    }),
  }));
  const { certificate } = holder;
  const chain = hasChain ? [issuer.certificate] : [];
  return { ...holder, p12: await writePkcs12({ privateKey, certificate, chain }, pin, PKCS12_ROUNDS) };
}
