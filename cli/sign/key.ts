import { readFileSync } from 'node:fs';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { displayName } from '../../shared/pki/findings/display.ts';
import { formatSerial } from '../../shared/pki/model/certificate-model.ts';
import type { Pkcs12Entry } from '../../shared/pki/pkcs12/entries.ts';
import { openPkcs12 } from '../../shared/pki/pkcs12/open.ts';
import { localKey, type SigningKey } from '../../shared/signing/key.ts';
import { requireFile } from '../arguments/named-file.ts';
import { type PinSource, readPin } from '../terminal/pin.ts';

type KeyOptions = {
  readonly p12: string;
  readonly pin: PinSource;
  /** Hexadecimal, where the file holds several certificates. */
  readonly serial: string | undefined;
};

/** Opens the key that signs. @example const key = await openKey({ p12: 'holder.p12', pin: { file: 'pin.txt' }, serial: undefined }) */
export async function openKey({ p12, pin, serial }: KeyOptions): Promise<SigningKey> {
  refuseOtherFormats(p12);
  const bytes = readFileSync(p12);
  const secret = await readPin(pin, p12);
  const { entries } = await openPkcs12(bytes, secret).catch((error) => {
    throw new Error(`${p12}: ${reasonOf(error)}`, { cause: error });
  });
  const { privateKey, certificate, chain } = choose(entries, p12, serial);
  return localKey(privateKey, certificate, chain);
}

function choose(entries: readonly Pkcs12Entry[], p12: string, serial: string | undefined): Pkcs12Entry {
  const number = serial === undefined ? undefined : numberOf(serial);
  const matching = entries.filter(
    ({ certificate }) => number === undefined || certificate.serialNumber === number,
  );
  const [only, ...more] = matching;
  if (only && more.length === 0) return only;
  if (entries.length === 0) throw new Error(`${p12} holds no key with its certificate, so nothing can sign.`);
  const listed = entries.map(
    ({ certificate }) => `${formatSerial(certificate)} (${displayName(certificate)})`,
  );
  const problem =
    only || serial === undefined ? '' : `${p12} holds no certificate of the serial number ${serial}. `;
  throw new Error(`${problem}Say which certificate of ${p12} signs, --serial HEX: ${listed.join(', ')}.`);
}

// PEM keys are as common. They are refused before the PIN is asked for.
function refuseOtherFormats(p12: string): void {
  const head = requireFile(p12, { option: '--p12', headBytes: 64 }).toString('latin1');
  if (head === '') throw new Error(`--p12 ${p12} is empty. Export the certificate and its key again.`);
  if (/^\s*-----BEGIN /.test(head))
    throw new Error(
      `--p12 ${p12} is PEM text and no PKCS#12 file. Make one: openssl pkcs12 -export -in CERTIFICATES.pem -inkey KEY.pem -out holder.p12`,
    );
}

/** Reads a serial number in any notation: programs differ in capitals, colons and leading zeros. */
function numberOf(serial: string): bigint {
  const digits = serial.replace(/[\s:]/g, '');
  if (!/^[0-9a-f]+$/i.test(digits))
    throw new Error(`--serial takes the certificate's serial number in hexadecimal, not "${serial}".`);
  return BigInt(`0x${digits}`);
}
