import {
  childrenOf,
  DerError,
  type Element,
  eachChild,
  expectTag,
  readCount,
  readDer,
} from '../../../der/read.ts';
import { TAG } from '../../../der/tags.ts';
import { readTime } from '../../../der/text-and-time.ts';
import { boolean } from '../../../der/write.ts';
import { type Certificate, type Extension, readExtensionList } from '../../certificate/certificate.ts';
import { readGeneralNames } from '../../extensions/general-names.ts';
import { sameName } from '../../name/match.ts';
import type { Name } from '../../name/name.ts';
import { type Revocation, reasonOf } from '../reasons.ts';
import { type Crl, CrlMalformed } from './crl.ts';
import { ENTRY_EXTENSION } from './extensions.ts';

const KNOWN: ReadonlySet<string> = new Set(Object.values(ENTRY_EXTENSION));
const TRUE = boolean(true);

/**
 * Finds the certificate's entry. The bytes are searched first, because a CRL may have millions of entries: DER has one
 * encoding for a number, so a serial number whose bytes are absent has no entry. Throws CrlMalformed.
 */
export function findEntry(crl: Crl, certificate: Certificate): Revocation | undefined {
  if (!crl.entries?.content.includes(certificate.serialDer)) return undefined;
  return wrapDerError(() => {
    let issuer = crl.issuer;
    for (const element of eachEntry(crl)) {
      const isMeant = startsWith(element.content, certificate.serialDer);
      if (!isMeant && !crl.issuingPoint.isIndirect) continue;
      const entry = readEntry(element);
      // RFC 5280, 5.3.3: the certificateIssuer also applies to the entries after it.
      issuer = readCertificateIssuer(entry) ?? issuer;
      if (isMeant && sameName(issuer, certificate.issuer))
        return { revokedAtMs: readTime(entry.time), reason: readReason(entry) };
    }
    return undefined;
  });
}

/** The first critical entry extension that is unknown. Such a CRL must not be used at all (RFC 5280, 5.3). */
export function findUnknownCriticalEntry(crl: Crl): string | undefined {
  // Without the bytes of TRUE no extension is critical.
  if (!crl.entries?.content.includes(TRUE)) return undefined;
  return wrapDerError(() => {
    for (const element of eachEntry(crl)) {
      if (!element.content.includes(TRUE)) continue;
      for (const [oid, { critical }] of readEntry(element).extensions)
        if (critical && !KNOWN.has(oid)) return oid;
    }
    return undefined;
  });
}

type Entry = {
  readonly time: Element | undefined;
  readonly extensions: readonly (readonly [string, Extension])[];
};

// A serial number of one byte and a time without seconds. Denial of service: millions of smaller entries take time.
const MIN_ENTRY_BYTES = 18;

function* eachEntry({ entries }: Crl): Generator<Element, void> {
  if (!entries) return;
  for (const element of eachChild(entries)) {
    if (element.raw.length < MIN_ENTRY_BYTES) throw new DerError('It is too short to name a certificate.');
    yield element;
  }
}

const startsWith = (bytes: Buffer, start: Buffer): boolean =>
  bytes.length >= start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0;

function readEntry(element: Element): Entry {
  const [serial, time, extensions] = childrenOf(element, TAG.SEQUENCE);
  expectTag(serial, TAG.INTEGER);
  return { time, extensions: extensions ? readExtensionList(extensions) : [] };
}

const valueIn = ({ extensions }: Entry, oid: string): Element | undefined => {
  const found = extensions.find(([id]) => id === oid);
  return found && readDer(found[1].value);
};

function readCertificateIssuer(entry: Entry): Name | undefined {
  const value = valueIn(entry, ENTRY_EXTENSION.certificateIssuer);
  if (!value) return undefined;
  const [name] = readGeneralNames(value).flatMap((n) => (n.kind === 'directoryName' ? [n.name] : []));
  if (!name)
    throw new DerError("An entry names its certificate's issuer in a form that is none of a directory.");
  return name;
}

function readReason(entry: Entry): Revocation['reason'] {
  const value = valueIn(entry, ENTRY_EXTENSION.reasonCode);
  if (!value) return 'unspecified';
  return reasonOf(readCount({ ...expectTag(value, TAG.ENUMERATED), tag: TAG.INTEGER }));
}

function wrapDerError<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof DerError)) throw cause;
    throw new CrlMalformed(`An entry of the revocation list cannot be read: ${cause.message}`, { cause });
  }
}
