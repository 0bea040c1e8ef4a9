import type { KeyObject } from 'node:crypto';
import { type Certificate, parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import type { IssuerName } from './holders.ts';
import { completed, readPrivateKey } from './make-authority.ts';

/** A key in PKCS#8 and its certificate, both in DER. Everything that the sandbox signs with is public by intent. */
export type Member = { readonly privateKey: Uint8Array; readonly certificate: Uint8Array };

/** A certificate that was issued at some time. Its status is told for as long as it is in the list. */
export type Issued = {
  readonly issuer: IssuerName;
  /** Hexadecimal, as the certificate has it. */
  readonly serial: string;
  readonly revokedAtMs?: number;
  readonly reason?: number;
};

/** The sandbox's whole PKI in one item, which is there or is not: half of one is never seen. */
export type SandboxAuthority = {
  /** The root address that its certificates name. */
  readonly address: string;
  /** By the name of the plan. */
  readonly members: Readonly<Record<string, Member>>;
  /** The newest last. */
  readonly issued: readonly Issued[];
};

const ID = 'authority';
const authorities = collection<SandboxAuthority, string>({
  service: 'sandbox',
  name: 'authority',
  id: () => ID,
  key: () => ({ pk: 'AUTHORITY', sk: 'AUTHORITY' }),
});

/** The authority that the sandbox signs with. @example const { issued } = await findAuthority(); */
export async function findAuthority() {
  const found = await authorities.get(ID);
  if (!found) throw new Error('The sandbox has no certification authority. npm start makes one.');
  return found;
}

// Two seedings meet, for example two test files on one store:
//
//   one    |--read: none-- make keys -- create --|
//   other    |--read: none-- make keys ----------- create refused, read: the other's --|
//
// Whoever writes first makes the authority, and everyone uses that one.

/** Makes the authority, or what it lacks; issues anew what names another address. Safe to repeat. */
export async function makeAuthority(address: string, nowMs = Date.now()) {
  const current = await authorities.get(ID);
  const made = await completed(current, { address, nowMs });
  if (!made) return current ?? findAuthority();
  try {
    await (current ? authorities.change(current, made) : authorities.create(made));
  } catch (error) {
    if (!(error instanceof AlreadyExists || error instanceof RaceLost)) throw error;
  }
  return findAuthority();
}

export type Signer = { readonly privateKey: KeyObject; readonly certificate: Certificate };

/** A member as one signs with it. @example const tsa = signerOf(await findAuthority(), 'tsa') */
export function signerOf({ members }: SandboxAuthority, name: string): Signer {
  const member = members[name];
  if (!member) throw new Error(`The sandbox's authority has no member ${name}.`);
  return { privateKey: readPrivateKey(member), certificate: parseCertificate(member.certificate) };
}
