import { readFileSync } from 'node:fs';
import type { Certificate } from '../../shared/pki/certificate.ts';
import type { Pkcs12Entry } from '../../shared/pki/pkcs12/entries.ts';
import { openPkcs12 } from '../../shared/pki/pkcs12/open.ts';
import { called, moment } from '../../shared/pki/verdict-words.ts';
import { localKey, type SigningKey } from '../../shared/signing/key.ts';
import { type PinSource, readPin } from './pin.ts';

type Wish = {
  readonly p12: string;
  readonly pin: PinSource;
  /** Hexadecimal, where the file holds several certificates. */
  readonly serial: string | undefined;
};

/** The key that signs. @example const key = await openKey({ p12: 'holder.p12', pin: { file: 'pin.txt' }, serial: undefined }) */
export async function openKey({ p12, pin, serial }: Wish): Promise<SigningKey> {
  const bytes = readFileSync(p12);
  const { entries } = await openPkcs12(bytes, await readPin(pin, p12));
  const { privateKey, certificate, chain } = chosen(entries, p12, serial);
  return localKey(privateKey, certificate, chain);
}

function chosen(entries: readonly Pkcs12Entry[], p12: string, serial: string | undefined): Pkcs12Entry {
  const wanted = serial?.toLowerCase().replaceAll(':', '');
  const fitting = entries.filter(({ certificate }) => !wanted || certificate.serialHex === wanted);
  const [only, ...more] = fitting;
  if (only && more.length === 0) return only;
  if (entries.length === 0) throw new Error(`${p12} holds no key with its certificate, so nothing can sign.`);
  const listed = entries.map(({ certificate }) => `${certificate.serialHex} (${called(certificate)})`);
  throw new Error(`Say which certificate of ${p12} signs, --serial HEX: ${listed.join(', ')}.`);
}

/** What a person should know of a certificate before relying on its signatures; nothing when all is well. */
export function warningAbout(certificate: Certificate, nowMs: number): string | undefined {
  const { notBeforeMs, notAfterMs } = certificate;
  if (nowMs > notAfterMs)
    return `The certificate of ${called(certificate)} expired on ${moment(notAfterMs)}: verifiers will not accept this signature.`;
  if (nowMs < notBeforeMs)
    return `The certificate of ${called(certificate)} is valid from ${moment(notBeforeMs)} on: verifiers will not accept this signature.`;
  return undefined;
}
