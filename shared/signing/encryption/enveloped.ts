import { createCipheriv, randomBytes } from 'node:crypto';
import { context, TAG } from '../../der/tags.ts';
import { header, integer, octetString, oid, sequence, setOf } from '../../der/write.ts';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import { EXTENSION, keyUsage } from '../../pki/extensions/extensions.ts';
import { displayName } from '../../pki/findings/display.ts';
import { orUndefined } from '../cms/ber-or-der.ts';
import { chunksOf, type Source } from '../cms/input.ts';
import { CONTENT } from '../cms/oids.ts';
import { CIPHERS, OAEP_ALGORITHM, wrapKey } from './algorithms.ts';
import { EncryptionRefused } from './errors.ts';

const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
const CBC_256 = CIPHERS['aes-256-cbc'].oid;

const INDEFINITE_LENGTH = 0x80; // BER: the content's size need not be known in advance
const openIndefinite = (tag: number): Buffer => Buffer.from([tag, INDEFINITE_LENGTH]);
const END_MARK = Buffer.from([0, 0]);

/**
 * Encrypts content as a CMS EnvelopedData (RFC 5652, 6) for these certificates, in a stream.
 *
 * AES-256-CBC in EnvelopedData and not AES-GCM in AuthEnvelopedData: every CMS implementation opens the first
 * (.NET's EnvelopedCms does not know the second). CBC keeps content secret and does not authenticate it (EFAIL, 2018:
 * ciphertext malleability). The content is signed, and the reader must verify the signature inside.
 * @example await pipeline(sealForRecipients(createReadStream('a.p7m'), [certificate]), createWriteStream('a.p7m.enc'));
 */
export async function* sealForRecipients(
  content: Source,
  recipients: readonly Certificate[],
): AsyncGenerator<Buffer> {
  if (!recipients.length)
    throw new EncryptionRefused('no-recipient', 'Nobody could open it: give at least one certificate.');
  const contentKey = randomBytes(KEY_BYTES);
  const iv = randomBytes(BLOCK_BYTES);
  const infos = setOf(...recipients.map((recipient) => recipientInfo(recipient, contentKey)));
  const cipher = createCipheriv('aes-256-cbc', contentKey, iv);
  yield Buffer.concat([
    openIndefinite(TAG.SEQUENCE),
    oid(CONTENT.envelopedData),
    openIndefinite(context(0)),
    openIndefinite(TAG.SEQUENCE),
    integer(0),
    infos,
    openIndefinite(TAG.SEQUENCE),
    oid(CONTENT.data),
    sequence(oid(CBC_256), octetString(iv)),
    openIndefinite(context(0)),
  ]);
  for await (const chunk of chunksOf(content)) yield* writePiece(cipher.update(chunk));
  yield* writePiece(cipher.final());
  yield Buffer.concat(Array(5).fill(END_MARK));
}

function* writePiece(ciphertext: Buffer): Generator<Buffer> {
  if (!ciphertext.length) return;
  yield header(TAG.OCTET_STRING, ciphertext.length);
  yield ciphertext;
}

function recipientInfo(recipient: Certificate, contentKey: Buffer): Buffer {
  checkRecipient(recipient);
  return sequence(
    integer(0), // 0: named by issuer and serial number
    sequence(recipient.issuer.der, recipient.serialDer),
    OAEP_ALGORITHM,
    octetString(wrapKey(recipient.publicKey, contentKey)),
  );
}

const MIN_RSA_BITS = 2048;

/** Refuses a certificate that nothing can be encrypted for. Throws EncryptionRefused. */
export function checkRecipient(recipient: Certificate): void {
  if (rsaBits(recipient) < MIN_RSA_BITS)
    throw new EncryptionRefused(
      'recipient-key',
      `Nothing can be encrypted for the certificate of ${displayName(recipient)}: its key is not RSA of at least ${MIN_RSA_BITS} bits.`,
    );
  const usages = orUndefined(() => keyUsage(recipient));
  if (recipient.extensions.has(EXTENSION.keyUsage) && !usages?.has('keyEncipherment'))
    throw new EncryptionRefused(
      'recipient-usage',
      `The certificate of ${displayName(recipient)} is not for encryption: its key usage lacks keyEncipherment.`,
    );
}

function rsaBits(recipient: Certificate): number {
  const key = orUndefined(() => recipient.publicKey);
  return key?.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
}
