import { displayName } from '../../shared/pki/findings/display.ts';
import { formatSerial } from '../../shared/pki/model/certificate-model.ts';
import type { Pkcs12Entry } from '../../shared/pki/pkcs12/entries.ts';
import { localKey, type SigningKey } from '../../shared/signing/key.ts';
import type { PinSource } from '../terminal/pin.ts';
import { openPkcs12File } from '../terminal/pkcs12-file.ts';

type KeyOptions = {
  readonly p12: string;
  readonly pin: PinSource;
  /** Hexadecimal, where the file holds several certificates. */
  readonly serial: string | undefined;
};

/** Opens the key that signs. @example const key = await openKey({ p12: 'holder.p12', pin: { file: 'pin.txt' }, serial: undefined }) */
export async function openKey({ p12, pin, serial }: KeyOptions): Promise<SigningKey> {
  const entries = await openPkcs12File({ option: '--p12', p12, pin });
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

/** Reads a serial number in any notation: programs differ in capitals, colons and leading zeros. */
function numberOf(serial: string): bigint {
  const digits = serial.replace(/[\s:]/g, '');
  if (!/^[0-9a-f]+$/i.test(digits))
    throw new Error(`--serial takes the certificate's serial number in hexadecimal, not "${serial}".`);
  return BigInt(`0x${digits}`);
}
