import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type Certificate, parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { collection } from '../../../../shared/store/collection.ts';
import type { IssuerName } from './holders.ts';

/** A key in PKCS#8 and its certificate, both in DER. Everything that the sandbox signs with is public by intent. */
export type Member = { readonly privateKey: Uint8Array; readonly certificate: Uint8Array };

/** A certificate that was issued at some time. Its status is known while it is in the list. */
export type Issued = {
  readonly issuer: IssuerName;
  /** Hexadecimal, as the certificate has it. */
  readonly serial: string;
  readonly revokedAtMs?: number;
  readonly reason?: number;
};

/** The sandbox's whole PKI. It is one item, so that no reader sees half of it. */
export type SandboxAuthority = {
  /** The root address that its certificates name. */
  readonly address: string;
  /** By the name of the plan. */
  readonly members: Readonly<Record<string, Member>>;
  /** The newest last. */
  readonly issued: readonly Issued[];
};

export const AUTHORITY_ID = 'authority';
export const authorities = collection<SandboxAuthority, string>({
  service: 'sandbox',
  name: 'authority',
  id: () => AUTHORITY_ID,
  key: () => ({ pk: 'AUTHORITY', sk: 'AUTHORITY' }),
});

/** The authority that the sandbox signs with. @example const { issued } = await findAuthority(); */
export async function findAuthority() {
  const found = await authorities.get(AUTHORITY_ID);
  if (!found) throw new Error('The sandbox has no certification authority. npm start makes one.');
  return found;
}

export type Signer = { readonly privateKey: KeyObject; readonly certificate: Certificate };

/** The key and certificate of a member. @example const tsa = signerOf(await findAuthority(), 'tsa') */
export function signerOf({ members }: SandboxAuthority, name: string): Signer {
  const member = members[name];
  if (!member) throw new Error(`The sandbox's authority has no member ${name}.`);
  return { privateKey: readPrivateKey(member), certificate: parseCertificate(member.certificate) };
}

/** @example sign('sha256', bytes, readPrivateKey(member)) */
export const readPrivateKey = ({ privateKey }: Member): KeyObject =>
  createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
