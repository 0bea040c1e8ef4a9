import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import type { Pkcs12Entry } from '../../../../shared/pki/pkcs12/entries.ts';
import { writePkcs12 } from '../../../../shared/pki/pkcs12/write.ts';
import { errors } from '../../errors.ts';
import { type SandboxAuthority, type Signer, signerOf } from './authority.ts';
import { HOLDERS, type Holder } from './holders.ts';

// The PINs are public: slow guessing protects nothing.
const PKCS12_ROUNDS = 2048;

/** A holder's certificate file, as `holders/<name>.p12`. */
export const holderPkcs12 = (authority: SandboxAuthority, holder: Holder, pin: string): Promise<Buffer> =>
  writePkcs12({ ...holderEntry(authority, holder), friendlyName: holder.commonName }, pin, PKCS12_ROUNDS);

/** A holder's key, certificate and the certificates above it. */
export function holderEntry(
  authority: SandboxAuthority,
  { name, issuer }: Pick<Holder, 'name' | 'issuer'>,
): Pkcs12Entry {
  const { privateKey, certificate }: Signer = signerOf(authority, name);
  const chain: Certificate[] = [signerOf(authority, issuer).certificate];
  if (issuer !== 'untrusted') chain.push(signerOf(authority, 'root').certificate);
  return { privateKey, certificate, chain };
}

/** The same for a browser: the people of the sandbox are nobody, and their keys are for everybody. */
export async function readHolderFile(authority: SandboxAuthority, file: string): Promise<Buffer> {
  const holder = HOLDERS.find(({ name }) => file === `${name}.p12`);
  if (holder?.pin === undefined) throw errors.refuse('EndpointNotFound');
  return holderPkcs12(authority, holder, holder.pin);
}
