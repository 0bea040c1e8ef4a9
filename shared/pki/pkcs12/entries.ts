import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Bytes } from '../../der/bytes.ts';
import { asBuffer, childrenOf, readDer } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { readAlgorithm } from '../../der/values.ts';
import {
  type Certificate,
  CertificateMalformed,
  PublicKeyUnsupported,
  parseCertificate,
} from '../certificate/certificate.ts';
import { authorityKeyIdentifier, subjectKeyIdentifier } from '../extensions/extensions.ts';
import { sameName } from '../name/match.ts';
import type { Bags } from './bags.ts';
import { BrokenPkcs12, UnsupportedPkcs12 } from './errors.ts';

/** A key with its certificate, and the certificates above it that the file holds, issuer first. */
export type Pkcs12Entry = {
  readonly privateKey: KeyObject;
  readonly certificate: Certificate;
  readonly chain: readonly Certificate[];
};

export type Pkcs12 = {
  readonly entries: readonly Pkcs12Entry[];
  /** Certificates that are neither an entry's own nor above it. */
  readonly others: readonly Certificate[];
  /** Keys with no certificate in the file. */
  readonly strayKeys: readonly KeyObject[];
};

/** Keys and certificates belong together by their public key, whatever names the file gives them. */
export function matchEntries({ keys, certificates }: Bags): Pkcs12 {
  const pool = distinct(certificates.map(readCertificate));
  const entries: Pkcs12Entry[] = [];
  const strayKeys: KeyObject[] = [];
  for (const privateKey of keys.map(readKey)) {
    const own = pool.filter((certificate) => isKeyOf(privateKey, certificate));
    for (const certificate of own)
      entries.push({ privateKey, certificate, chain: chainAbove(certificate, pool) });
    if (!own.length) strayKeys.push(privateKey);
  }
  const used = new Set(entries.flatMap(({ certificate, chain }) => [certificate, ...chain]));
  return { entries, strayKeys, others: pool.filter((certificate) => !used.has(certificate)) };
}

function readCertificate(der: Bytes): Certificate {
  try {
    return parseCertificate(der);
  } catch (cause) {
    if (!(cause instanceof CertificateMalformed)) throw cause;
    throw new BrokenPkcs12(`a certificate in it cannot be read. ${cause.message}`, { cause });
  }
}

const distinct = (certificates: readonly Certificate[]): Certificate[] => [
  ...new Map(certificates.map((certificate) => [certificate.sha256, certificate])).values(),
];

const SIGNING_KEYS = new Set(['1.2.840.113549.1.1.1', '1.2.840.10045.2.1']);

function readKey(der: Bytes): KeyObject {
  const [, algorithm] = childrenOf(readDer(der), TAG.SEQUENCE);
  const { oid } = readAlgorithm(algorithm);
  try {
    return createPrivateKey({ key: asBuffer(der), format: 'der', type: 'pkcs8' });
  } catch (cause) {
    if (SIGNING_KEYS.has(oid)) throw new BrokenPkcs12('a key in it cannot be read.', { cause });
    throw new UnsupportedPkcs12('key', `it holds a key of the kind ${oid}.`);
  } finally {
    der.fill(0); // the key lives on in the KeyObject only
  }
}

// Compared as bytes: KeyObject.equals on keys of two kinds leaves an error behind that the next createPrivateKey trips over.
function isKeyOf(privateKey: KeyObject, certificate: Certificate): boolean {
  try {
    return spki(createPublicKey(privateKey)).equals(spki(certificate.publicKey));
  } catch (cause) {
    if (cause instanceof PublicKeyUnsupported) return false;
    throw cause;
  }
}

const spki = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });

function chainAbove(certificate: Certificate, pool: readonly Certificate[]): Certificate[] {
  const chain: Certificate[] = [];
  let top = certificate;
  while (!sameName(top.subject, top.issuer)) {
    const next = pool.find((candidate) => isAbove(candidate, top) && !chain.includes(candidate));
    if (!next || next === certificate) break;
    chain.push(next);
    top = next;
  }
  return chain;
}

// By name, and by key identifier where both have one: an authority that renewed its key has two certificates.
function isAbove(candidate: Certificate, below: Certificate): boolean {
  if (!sameName(candidate.subject, below.issuer)) return false;
  const named = identifierOf(() => authorityKeyIdentifier(below)?.keyIdentifier);
  const own = identifierOf(() => subjectKeyIdentifier(candidate));
  return !named || !own || named.equals(own);
}

function identifierOf(read: () => Buffer | undefined): Buffer | undefined {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof CertificateMalformed) return undefined; // judged when the path is
    throw cause;
  }
}
