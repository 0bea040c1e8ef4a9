import type { Bytes } from './bytes.ts';
import { childrenOf, type Element, Malformed, oidOf, readElement, TAG } from './der.ts';

/** What a page needs of a certificate. Whether it may sign is for the server to judge. */
export type Certificate = {
  readonly der: Bytes;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Bytes;
  /** The subject's common name, as people call it; its whole name would be longer than a line. */
  readonly commonName: string | undefined;
  /** Until when it is valid; of two for one key the later is the renewed one. */
  readonly notAfterMs: number;
};

const COMMON_NAME = '2.5.4.3';

/** Throws Malformed where the bytes are no certificate. */
export function readCertificate(der: Bytes): Certificate {
  const [signed] = childrenOf(readElement(der), TAG.SEQUENCE);
  const fields = childrenOf(signed, TAG.SEQUENCE);
  // The version comes first, unless it is the first version.
  const [, , , validity, subject, publicKey] = fields[0]?.tag === TAG.CONTEXT_0 ? fields.slice(1) : fields;
  const [, notAfter] = childrenOf(validity, TAG.SEQUENCE);
  childrenOf(publicKey, TAG.SEQUENCE);
  const names = childrenOf(subject, TAG.SEQUENCE).flatMap((set) => childrenOf(set, TAG.SET));
  const commonName = names
    .map((name) => childrenOf(name, TAG.SEQUENCE))
    .find(([type]) => oidOf(type) === COMMON_NAME);
  return {
    der,
    publicKey: publicKey?.raw ?? new Uint8Array(),
    notAfterMs: momentOf(notAfter),
    commonName: commonName?.[1] && readText(commonName[1].tag, commonName[1].content),
  };
}

const ENCODINGS: Readonly<Record<number, string>> = {
  12: 'utf-8',
  19: 'latin1',
  20: 'latin1',
  22: 'latin1',
  30: 'utf-16be',
};

const readText = (tag: number, content: Uint8Array): string | undefined => {
  const encoding = ENCODINGS[tag];
  return encoding && new TextDecoder(encoding).decode(content);
};

// UTCTime has two digits for the year, and those from 50 are of the last century; GeneralizedTime has four.
function momentOf(element: Element | undefined): number {
  const text = new TextDecoder('latin1').decode(element?.content);
  const [, year = '', rest = ''] = /^(\d{2}|\d{4})(\d{10})Z$/.exec(text) ?? [];
  const century = year.length === 4 ? '' : Number(year) < 50 ? '20' : '19';
  const [month, day, hour, minute, second] = rest.match(/../g) ?? [];
  const ms = Date.parse(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(ms)) throw new Malformed('A date cannot be read.');
  return ms;
}
