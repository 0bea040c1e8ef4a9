import { childrenOf, type Element } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { enumerated, explicit, octetString, oid, sequence } from '../../der/write.ts';
import { type Certificate, parseCertificate } from '../../pki/certificate/certificate.ts';
import { type Checks, spendReading } from '../../pki/path/checks.ts';
import { onlyValue } from '../cms/attribute-map.ts';
import { orUndefined } from '../cms/ber-or-der.ts';
import { OCSP_RESPONSE } from '../cms/evidence.ts';
import { ATTRIBUTE } from '../cms/oids.ts';
import type { SignerInfo } from '../cms/read.ts';

// Chains of the signer and of some timestamps. They are held, at up to 40 KB each.
const MAX_VALUES = 50;

/** The certificates that a signature of the level CAdES-X-L brings along (EN 319 122-1, A.1.1.2). They prove nothing. */
export function certificateValues({ unsigned }: SignerInfo, checks: Checks): Certificate[] {
  const value = onlyValue(unsigned, ATTRIBUTE.certificateValues);
  if (!value || !spendReading(value.raw.length, checks)) return [];
  return readList(value, TAG.SEQUENCE).flatMap(({ raw }) => orUndefined(() => parseCertificate(raw)) ?? []);
}

/** The revocation data that it brings along (A.1.2.2), as the elements of a SignedData. */
export function revocationValues({ unsigned }: SignerInfo): Buffer[] {
  const fields = readList(onlyValue(unsigned, ATTRIBUTE.revocationValues), TAG.SEQUENCE);
  const listOf = (n: number): Buffer[] => {
    const field = fields.find(({ tag }) => tag === context(n));
    return readList(field && readList(field, context(n))[0], TAG.SEQUENCE).map(({ raw }) => raw);
  };
  return [...listOf(0), ...listOf(1).map(wrapBasicResponse)];
}

const readList = (element: Element | undefined, tag: number): Element[] =>
  orUndefined(() => childrenOf(element, tag, MAX_VALUES)) ?? [];

const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1';

// The attribute holds the basic response alone: the response around it says that it succeeded, and of which type it is.
const wrapBasicResponse = (basic: Buffer): Buffer =>
  explicit(
    1,
    oid(OCSP_RESPONSE),
    sequence(enumerated(0), explicit(0, sequence(oid(BASIC_RESPONSE), octetString(basic)))),
  );
