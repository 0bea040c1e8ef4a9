import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Issuance,
  issueCertificate,
} from '../../functions/sandbox/authority/domain/issuing/certificate.ts';
import type { HolderFields } from '../../functions/sandbox/authority/domain/issuing/icp-brasil.ts';
import {
  holderProfile,
  intermediateProfile,
  ocspResponderProfile,
  type Places,
  rootProfile,
  timestampAuthorityProfile,
} from '../../functions/sandbox/authority/domain/issuing/profiles.ts';
import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import { KEY_FOLDER } from './key-folder.ts';

/** A certificate with its key and the certificates above it, issuer first. */
export type Holder = {
  readonly certificate: Certificate;
  readonly privateKey: KeyObject;
  readonly chain: readonly Certificate[];
};

export type KeyKind = 'rsa2048' | 'rsa3072' | 'rsa4096' | 'p256' | 'p384';

const DAY_MS = 86_400_000;
const keys = new Map<string, KeyObject>();

/** A private key, made once per process: the same kind and name give the same key. */
export function testKey(kind: KeyKind = 'rsa2048', name = ''): KeyObject {
  const id = `${kind} ${name}`;
  const known = keys.get(id);
  if (known) return known;
  const made = kind.startsWith('rsa') ? keptKey(`${keys.size}-${kind}`, kind) : generate(kind);
  keys.set(id, made);
  return made;
}

// Making an RSA key takes a third of a second, and hundreds of files want a dozen each: the run keeps them by
// number, so that those of one process differ and those of two may be the same.
function keptKey(name: string, kind: KeyKind): KeyObject {
  const file = join(KEY_FOLDER, `${name}.der`);
  if (existsSync(file)) return createPrivateKey({ key: readFileSync(file), format: 'der', type: 'pkcs8' });
  const made = generate(kind);
  mkdirSync(KEY_FOLDER, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, made.export({ format: 'der', type: 'pkcs8' }));
  renameSync(`${file}.${process.pid}`, file);
  return made;
}

function generate(kind: KeyKind): KeyObject {
  if (kind === 'p256') return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  if (kind === 'p384') return generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  return generateKeyPairSync('rsa', { modulusLength: Number(kind.slice(3)) }).privateKey;
}

const publicOf = (privateKey: KeyObject): KeyObject => createPublicKey(privateKey);
const validity = { notBeforeMs: Date.UTC(2024, 0, 1), notAfterMs: Date.UTC(2044, 0, 1) };

export type TestPki = {
  readonly root: Holder;
  readonly intermediate: Holder;
  /** A person by default, CPF 52998224725, type A1; the same options give another certificate over the same key. */
  holder(options?: HolderOptions): Holder;
  ocspResponder(kind?: KeyKind): Holder;
  timestampAuthority(kind?: KeyKind): Holder;
};

export type HolderOptions = {
  readonly key?: KeyKind;
  /** Holders of different names have different keys. */
  readonly keyName?: string;
  readonly commonName?: string;
  readonly fields?: HolderFields;
  readonly policies?: readonly string[];
  readonly places?: Places;
  readonly change?: Partial<Omit<Issuance, 'issuer' | 'publicKey'>>;
};

const cached = new Map<KeyKind, TestPki>();

/**
 * Root -> intermediate -> holders in the shape of ICP-Brasil, made once per process and kind of key.
 * @example const { certificate, privateKey, chain } = testPki().holder({ key: 'p256' });
 */
export function testPki(kind: KeyKind = 'rsa2048'): TestPki {
  const known = cached.get(kind);
  if (known) return known;
  const made = makePki(kind);
  cached.set(kind, made);
  return made;
}

function makePki(kind: KeyKind): TestPki {
  const root = makeRoot(kind);
  const intermediate = below(root, testKey(kind, 'intermediate'), (keys) => ({
    subject: [
      ['country', 'BR'],
      ['organization', 'ICP-Brasil'],
      ['organizationUnit', 'Autoridade Certificadora Raiz de Testes'],
      ['commonName', `AC Intermediaria de Testes ${kind}`],
    ],
    extensions: intermediateProfile({ ...keys, policies: ['2.16.76.1.2.1.999', '2.16.76.1.2.3.999'] }),
  }));
  return {
    root,
    intermediate,
    holder: (options = {}) => makeHolder(intermediate, options),
    ocspResponder: (key = kind) =>
      below(intermediate, testKey(key, 'ocsp'), (keys) => ({
        subject: named('Respondedor OCSP de Testes'),
        extensions: ocspResponderProfile(keys),
      })),
    timestampAuthority: (key = kind) =>
      below(intermediate, testKey(key, 'timestamps'), (keys) => ({
        subject: named('Autoridade de Carimbo do Tempo de Testes'),
        extensions: timestampAuthorityProfile(keys),
      })),
  };
}

const named = (commonName: string): Issuance['subject'] => [
  ['country', 'BR'],
  ['organization', 'ICP-Brasil'],
  ['commonName', commonName],
];

function makeRoot(kind: KeyKind): Holder {
  const privateKey = testKey(kind, 'root');
  const certificate = issueCertificate({
    subject: named(`Autoridade Certificadora Raiz de Testes ${kind}`),
    publicKey: publicOf(privateKey),
    issuer: { privateKey },
    ...validity,
    extensions: rootProfile(publicOf(privateKey)),
  });
  return { certificate, privateKey, chain: [] };
}

type Made = Pick<Issuance, 'subject' | 'extensions'> & Partial<Issuance>;

/** Any certificate that an authority of the test issues. @example below(pki.root, testKey(), (keys) => ({ subject, extensions })) */
export function below(
  issuer: Holder,
  privateKey: KeyObject,
  make: (keys: { publicKey: KeyObject; issuerKey: KeyObject }) => Made,
): Holder {
  const publicKey = publicOf(privateKey);
  const made = make({ publicKey, issuerKey: issuer.certificate.publicKey });
  const certificate = issueCertificate({ publicKey, issuer, ...validity, ...made });
  return { certificate, privateKey, chain: [issuer.certificate, ...issuer.chain] };
}

const PERSON: HolderFields = {
  person: { cpf: '52998224725', birthDate: '15021980', rg: '1234567', rgIssuer: 'SSPSP' },
  email: 'holder@example.com.br',
};

function makeHolder(intermediate: Holder, options: HolderOptions): Holder {
  const { key = 'rsa2048', keyName = 'holder', fields = PERSON, policies = ['2.16.76.1.2.1.999'] } = options;
  return below(intermediate, testKey(key, keyName), (keys) => ({
    subject: [
      ['country', 'BR'],
      ['organization', 'ICP-Brasil'],
      ['organizationUnit', 'e-CPF A1'],
      ['commonName', options.commonName ?? 'JOSÉ DA CONCEIÇÃO TESTE:52998224725'],
    ],
    notBeforeMs: Date.now() - DAY_MS,
    notAfterMs: Date.now() + 365 * DAY_MS,
    extensions: holderProfile({
      ...keys,
      holder: fields,
      policies,
      ...(options.places && { places: options.places }),
    }),
    ...options.change,
  }));
}
