import { readFileSync } from 'node:fs';
import { reasonOf } from '../../infra/local/reason.ts';
import { needFile } from '../../infra/named-file.ts';
import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import { displayName, formatTime } from '../../shared/pki/findings/display.ts';
import { formatSerial } from '../../shared/pki/model/certificate-model.ts';
import type { Pkcs12Entry } from '../../shared/pki/pkcs12/entries.ts';
import { openPkcs12 } from '../../shared/pki/pkcs12/open.ts';
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
  refuseOtherKinds(p12);
  const bytes = readFileSync(p12);
  const secret = await readPin(pin, p12);
  const { entries } = await openPkcs12(bytes, secret).catch((error) => {
    throw new Error(`${p12}: ${reasonOf(error)}`, { cause: error });
  });
  const { privateKey, certificate, chain } = chosen(entries, p12, serial);
  return localKey(privateKey, certificate, chain);
}

function chosen(entries: readonly Pkcs12Entry[], p12: string, serial: string | undefined): Pkcs12Entry {
  const wanted = serial === undefined ? undefined : numberOf(serial);
  const fitting = entries.filter(
    ({ certificate }) => wanted === undefined || certificate.serialNumber === wanted,
  );
  const [only, ...more] = fitting;
  if (only && more.length === 0) return only;
  if (entries.length === 0) throw new Error(`${p12} holds no key with its certificate, so nothing can sign.`);
  const listed = entries.map(
    ({ certificate }) => `${formatSerial(certificate)} (${displayName(certificate)})`,
  );
  const asked =
    only || serial === undefined ? '' : `${p12} holds no certificate of the serial number ${serial}. `;
  throw new Error(`${asked}Say which certificate of ${p12} signs, --serial HEX: ${listed.join(', ')}.`);
}

// Keys come in PEM as often, and a PIN need not be asked for to tell.
function refuseOtherKinds(p12: string): void {
  const head = needFile(p12, { option: '--p12', headBytes: 64 }).toString('latin1');
  if (head === '') throw new Error(`--p12 ${p12} is empty. Export the certificate and its key again.`);
  if (/^\s*-----BEGIN /.test(head))
    throw new Error(
      `--p12 ${p12} is PEM text and no PKCS#12 file. Make one: openssl pkcs12 -export -in CERTIFICATES.pem -inkey KEY.pem -out holder.p12`,
    );
}

/** A serial number however it is written: programs differ in capitals, colons and zeros at the front. */
function numberOf(serial: string): bigint {
  const digits = serial.replace(/[\s:]/g, '');
  if (!/^[0-9a-f]+$/i.test(digits))
    throw new Error(`--serial takes the certificate's serial number in hexadecimal, and not "${serial}".`);
  return BigInt(`0x${digits}`);
}

/** What a person should know of a certificate before relying on its signatures; nothing when all is well. */
export function warningAbout(certificate: Certificate, nowMs: number): string | undefined {
  const { notBeforeMs, notAfterMs } = certificate;
  if (nowMs > notAfterMs)
    return `The certificate of ${displayName(certificate)} expired on ${formatTime(notAfterMs)}: verifiers will not accept this signature.`;
  if (nowMs < notBeforeMs)
    return `The certificate of ${displayName(certificate)} is valid from ${formatTime(notBeforeMs)} on: verifiers will not accept this signature.`;
  return undefined;
}
