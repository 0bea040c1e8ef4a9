import { createCipheriv, createHash, createHmac, type KeyObject, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { TAG } from '../../der/tags.ts';
import {
  explicit,
  implicit,
  integer,
  NULL,
  octetString,
  oid,
  sequence,
  setOf,
  tlv,
} from '../../der/write.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { newBudget } from './budget.ts';
import { derive, PURPOSE } from './derive.ts';
import { nodeHost } from './node-host.ts';
import { passwordReadings } from './password.ts';

export type Pkcs12Contents = {
  readonly privateKey: KeyObject;
  readonly certificate: Certificate;
  readonly chain?: readonly Certificate[];
  /** The name that a key store shows. */
  readonly friendlyName?: string;
};

// OWASP asks this of PBKDF2 with SHA-256; NSS uses the same.
const ROUNDS = 600_000;
const SALT_BYTES = 16;

/**
 * A PKCS#12 file: AES-256, PBKDF2 and HMAC with SHA-256. Every current program reads it.
 * @example await writeFile('holder.p12', await writePkcs12({ privateKey, certificate, chain }, '1234'));
 */
export async function writePkcs12(
  contents: Pkcs12Contents,
  password: string,
  rounds = ROUNDS,
): Promise<Buffer> {
  const { privateKey, certificate, chain = [] } = contents;
  const ours = attributes(certificate, contents.friendlyName);
  const certificates = sequence(
    certificateBag(certificate, ours),
    ...chain.map((above) => certificateBag(above, [])),
  );
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const sealedKey = await seal(pkcs8, password, rounds);
  const sealedCertificates = await seal(certificates, password, rounds);
  const keys = sequence(
    bag(BAG.shroudedKey, sequence(sealedKey.algorithm, octetString(sealedKey.data)), ours),
  );
  const parts = sequence(
    contentInfo(ENCRYPTED_DATA, encryptedData(sealedCertificates)),
    contentInfo(DATA, octetString(keys)),
  );
  return sequence(integer(3), contentInfo(DATA, octetString(parts)), await macData(parts, password, rounds));
}

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const BAG = { shroudedKey: '1.2.840.113549.1.12.10.1.2', certificate: '1.2.840.113549.1.12.10.1.3' } as const;
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const FRIENDLY_NAME = '1.2.840.113549.1.9.20';
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21';
const SHA256 = '2.16.840.1.101.3.4.2.1';

const contentInfo = (type: string, content: Buffer): Buffer => sequence(oid(type), explicit(0, content));

const bag = (type: string, value: Buffer, attributes: readonly Buffer[]): Buffer =>
  sequence(oid(type), explicit(0, value), ...(attributes.length ? [setOf(...attributes)] : []));

const certificateBag = ({ der }: Certificate, attributes: readonly Buffer[]): Buffer =>
  bag(BAG.certificate, sequence(oid(X509_CERTIFICATE), explicit(0, octetString(der))), attributes);

// Key stores pair a key with its certificate by this identifier; any value does, and OpenSSL writes the hash.
function attributes({ der }: Certificate, friendlyName: string | undefined): Buffer[] {
  const keyId = octetString(createHash('sha1').update(der).digest());
  const name = friendlyName && tlv(TAG.BMP_STRING, Buffer.from(friendlyName, 'utf16le').swap16());
  return [
    sequence(oid(LOCAL_KEY_ID), setOf(keyId)),
    ...(name ? [sequence(oid(FRIENDLY_NAME), setOf(name))] : []),
  ];
}

type Sealed = { readonly algorithm: Buffer; readonly data: Buffer };

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const HMAC_SHA256 = '1.2.840.113549.2.9';
const AES_256_CBC = '2.16.840.1.101.3.4.1.42';
const pbkdf2Async = promisify(pbkdf2);

async function seal(plain: Buffer, password: string, rounds: number): Promise<Sealed> {
  const salt = randomBytes(SALT_BYTES);
  const iv = randomBytes(16);
  const key = await pbkdf2Async(Buffer.from(password, 'utf8'), salt, rounds, 32, 'sha256');
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const kdf = sequence(
    oid(PBKDF2),
    sequence(octetString(salt), integer(rounds), sequence(oid(HMAC_SHA256), NULL)),
  );
  return {
    algorithm: sequence(oid(PBES2), sequence(kdf, sequence(oid(AES_256_CBC), octetString(iv)))),
    data: Buffer.concat([cipher.update(plain), cipher.final()]),
  };
}

const encryptedData = ({ algorithm, data }: Sealed): Buffer =>
  sequence(integer(0), sequence(oid(DATA), algorithm, implicit(0, data)));

async function macData(parts: Buffer, password: string, rounds: number): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const [wide = new Uint8Array()] = passwordReadings(password).wide;
  const options = { digest: 'sha256', purpose: PURPOSE.mac, password: wide, salt, rounds, bytes: 32 };
  const key = await derive(options, { host: nodeHost, budget: newBudget() });
  const value = createHmac('sha256', key).update(parts).digest();
  return sequence(
    sequence(sequence(oid(SHA256), NULL), octetString(value)),
    octetString(salt),
    integer(rounds),
  );
}
