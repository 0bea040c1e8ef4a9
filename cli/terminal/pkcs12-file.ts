import { readFileSync } from 'node:fs';
import { reasonOf } from '../../shared/command-line/reason.ts';
import type { Pkcs12Entry } from '../../shared/pki/pkcs12/entries.ts';
import { openPkcs12 } from '../../shared/pki/pkcs12/open.ts';
import { requireFile } from '../arguments/named-file.ts';
import { type PinSource, readPin } from './pin.ts';

export type Pkcs12FileOptions = {
  /** The option that names the file, for messages. */
  readonly option: string;
  readonly p12: string;
  readonly pin: PinSource;
};

/** The keys with their certificates in a PKCS#12 file. @example await openPkcs12File({ option: '--p12', p12: 'holder.p12', pin: {} }) */
export async function openPkcs12File({
  option,
  p12,
  pin,
}: Pkcs12FileOptions): Promise<readonly Pkcs12Entry[]> {
  refuseOtherFormats(option, p12);
  const bytes = readFileSync(p12);
  const secret = await readPin(pin, p12);
  const { entries } = await openPkcs12(bytes, secret).catch((error) => {
    throw new Error(`${p12}: ${reasonOf(error)}`, { cause: error });
  });
  return entries;
}

// A PKCS#12 file (RFC 7292) is a SEQUENCE of more than 127 bytes. Text may begin with a zero, and goes on with ASCII.
const isLongSequence = ([first = 0, second = 0]: Uint8Array): boolean => first === 0x30 && second >= 0x80;

// PEM keys are as common. Other files are refused before the PIN is asked for.
function refuseOtherFormats(option: string, p12: string): void {
  const bytes = requireFile(p12, { option, headBytes: 64 });
  const head = bytes.toString('latin1');
  if (head === '') throw new Error(`${option} ${p12} is empty. Export the certificate and its key again.`);
  if (/^\s*-----BEGIN /.test(head))
    throw new Error(
      `${option} ${p12} is PEM text and no PKCS#12 file. Make one: openssl pkcs12 -export -in CERTIFICATES.pem -inkey KEY.pem -out holder.p12`,
    );
  if (!isLongSequence(bytes))
    throw new Error(
      `${option} ${p12} is no PKCS#12 file. Name the file with the certificate and its key: a .p12 or .pfx.`,
    );
}
