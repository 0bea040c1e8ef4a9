import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { settings } from '../../settings.ts';
import {
  AUTHORITY_ID,
  authorities,
  findAuthority,
  type Issued,
  type Member,
  readPrivateKey,
  type SandboxAuthority,
} from './authority.ts';
import { rsaKey } from './holder-keys.ts';
import type { IssuerName } from './holders.ts';
import { issueCertificate } from './issuing/certificate.ts';
import type { Places } from './issuing/profiles.ts';
import { PLANS, type Plan } from './plan.ts';

type MakeOptions = { readonly address: string; readonly nowMs: number };

const RSA_BITS = 2048;
const generate = promisify(generateKeyPair);

// RFC 5280, 5.3.1
const KEY_COMPROMISE = 1;

// A change of address issues some fifteen certificates: this many last for years, and the item stays far below the
// store's 400 KB. A revoked certificate is never dropped, since a list without it would call it good.
const MAX_KNOWN = 2000;

// Two seedings meet, for example two test files on one store:
//
//   one    |--read: none-- make keys -- create --|
//   other    |--read: none-- make keys ----------- create refused, read: the other's --|
//
// Whoever writes first makes the authority, and everyone uses that one.

/** Makes the authority or its missing members, and issues members anew that name another address. Idempotent. */
export async function makeAuthority(address: string, nowMs: number) {
  const current = await authorities.get(AUTHORITY_ID);
  const made = await completeAuthority(current, { address, nowMs });
  if (!made) return current ?? findAuthority();
  await (current ? authorities.change(current, made) : authorities.create(made)).catch(
    ifThrown([AlreadyExists, RaceLost]),
  );
  return findAuthority();
}

/**
 * The authority with every certificate that is planned, each naming the engine's address. Keys and roots stay as
 * they are; undefined when nothing is missing.
 * @example const made = await completeAuthority(undefined, { address: 'http://localhost:3000', nowMs: Date.now() });
 */
export async function completeAuthority(
  current: SandboxAuthority | undefined,
  { address, nowMs }: MakeOptions,
): Promise<SandboxAuthority | undefined> {
  const members: Record<string, Member> = { ...current?.members };
  const isKept = ({ name, issuer }: Plan): boolean =>
    name in members && (name === issuer || current?.address === address);
  const missing = PLANS.filter((plan) => !isKept(plan));
  if (missing.length === 0) return undefined;

  const keys = keysFor(members);
  // Each certificate is issued as soon as its key is made, while the keys after it are in the making.
  const issueMissing = async (): Promise<Issued[]> => {
    const issued: Issued[] = [];
    for (const plan of missing) {
      const { privateKey, certificate, serial } = await issueMember(plan, keys, members, { address, nowMs });
      members[plan.name] = { privateKey, certificate };
      const revocation = plan.revoked ? { revokedAtMs: nowMs, reason: KEY_COMPROMISE } : {};
      issued.push({ issuer: plan.issuer, serial, ...revocation });
    }
    return issued;
  };
  const [issued] = await Promise.all([issueMissing(), ...keys.values()]);
  return { address, members, issued: withoutOldest([...(current?.issued ?? []), ...issued]) };
}

const withoutOldest = (issued: readonly Issued[]): Issued[] =>
  issued.filter(({ revokedAtMs }, at) => revokedAtMs !== undefined || at >= issued.length - MAX_KNOWN);

type PrivateKeys = ReadonlyMap<string, Promise<KeyObject>>;

const keysFor = (members: Readonly<Record<string, Member>>): PrivateKeys =>
  new Map(PLANS.map((plan) => [plan.name, keyFor(plan, members[plan.name])]));

const keyFor = async ({ name, key }: Plan, known: Member | undefined): Promise<KeyObject> =>
  known ? readPrivateKey(known) : newKey(name, key);

const newKey = async (name: string, kind: Plan['key']): Promise<KeyObject> =>
  kind === 'ec'
    ? (await generate('ec', { namedCurve: 'P-256' })).privateKey
    : rsaKey(name, RSA_BITS, settings['Authority:KeyFolder']);

async function issueMember(
  plan: Plan,
  keys: PrivateKeys,
  members: Readonly<Record<string, Member>>,
  { address, nowMs }: MakeOptions,
): Promise<Member & { readonly serial: string }> {
  const [privateKey, issuerKey] = await Promise.all([keyOf(keys, plan.name), keyOf(keys, plan.issuer)]);
  const publicKey = createPublicKey(privateKey);
  const issuer = plan.issuer === plan.name ? undefined : members[plan.issuer];
  const certificate = issueCertificate({
    subject: plan.subject,
    publicKey,
    issuer: {
      privateKey: issuerKey,
      ...(issuer && { certificate: parseCertificate(issuer.certificate) }),
    },
    ...plan.validity(nowMs),
    extensions: plan.extensions({ publicKey, issuerKey, places: placesOf(plan.issuer, address) }),
  });
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
    certificate: certificate.der,
    serial: certificate.serialHex,
  };
}

function keyOf(keys: PrivateKeys, name: string): Promise<KeyObject> {
  const key = keys.get(name);
  if (!key) throw new Error(`The sandbox's plan names an issuer ${name} that it does not hold.`);
  return key;
}

// The discard port: nothing listens there, and the refusal is immediate, where a name that does not
// exist would be asked of the network's name servers.
const NOWHERE = 'http://localhost:9';

/** Where an authority publishes, under the root address of the engine. @example placesOf('root', 'http://localhost:3000') */
export function placesOf(issuer: IssuerName, address: string): Places {
  const folder = `${address}/sandbox/pki`;
  const status = issuer === 'unreachable' ? `${NOWHERE}/sandbox/pki` : folder;
  return {
    crl: [`${status}/${issuer}.crl`],
    // As in ICP-Brasil, authorities publish lists, and only those that issue to holders answer OCSP too.
    ocsp: issuer === 'intermediate' || issuer === 'unreachable' ? [`${status}/ocsp`] : [],
    caIssuers: [`${folder}/${issuer}.crt`],
  };
}
