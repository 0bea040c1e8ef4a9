import { createDecipheriv, type Decipheriv, type KeyObject } from 'node:crypto';
import { expectTag } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import { orUndefined } from '../cms/ber-or-der.ts';
import { parseStream, type Source } from '../cms/input.ts';
import { findCertificates } from '../cms/signer-certificate.ts';
import { CmsMalformed } from '../errors.ts';
import { CIPHERS, cipherByOid } from './ciphers.ts';
import { DecryptionFailed } from './errors.ts';
import { unwrapKey, wrappingOf } from './key-transport.ts';
import { type EnvelopeHead, splitEnveloped } from './split-enveloped.ts';

export type Opener = { readonly certificate: Certificate; readonly privateKey: KeyObject };

/**
 * What is in a CMS EnvelopedData, as it comes. A wrong key or changed bytes are told at the end or not at all: this
 * format authenticates nothing, so verify the signature that is inside. Throws DecryptionFailed and nothing else.
 * @example await pipeline(openEnveloped(createReadStream('a.p7m.enc'), holder), createWriteStream('a.p7m'));
 */
export async function* openEnveloped(source: Source, opener: Opener): AsyncGenerator<Buffer> {
  let decipher: Decipheriv | undefined;
  const parser = splitEnveloped((head) => {
    decipher = createDecipher(head, opener);
  });
  try {
    for await (const piece of parseStream(parser, source)) if (decipher) yield decipher.update(piece);
  } catch (error) {
    if (!(error instanceof CmsMalformed)) throw error;
    throw new DecryptionFailed('malformed', `The envelope cannot be read. ${error.message}`);
  }
  const last = finishDecryption(decipher);
  if (!last) throw wrongKeyOrChanged();
  yield last;
}

function finishDecryption(decipher: Decipheriv | undefined): Buffer | undefined {
  try {
    return decipher?.final();
  } catch {
    return undefined; // the padding is none
  }
}

function createDecipher(
  { recipients, cipher }: EnvelopeHead,
  { certificate, privateKey }: Opener,
): Decipheriv {
  const name = cipherByOid(cipher.oid);
  const iv = orUndefined(() => expectTag(cipher.parameters, TAG.OCTET_STRING).content);
  if (!name || iv?.length !== BLOCK_BYTES)
    throw new DecryptionFailed(
      'unsupported',
      `The envelope's cipher ${cipher.oid} is not known here: AES in CBC mode is.`,
    );
  const recipient = recipients.find(({ id }) => findCertificates(id, [certificate]).length);
  if (!recipient)
    throw new DecryptionFailed('not-for-this-key', 'The envelope is for other certificates than this one.');
  const wrapping = orUndefined(() => wrappingOf(recipient.algorithm));
  if (!wrapping)
    throw new DecryptionFailed('unsupported', 'The envelope wraps its key in a way that is not known here.');
  const contentKey = unwrapKey(privateKey, wrapping, recipient.wrapped);
  if (contentKey?.length !== CIPHERS[name].keyBytes) throw wrongKeyOrChanged();
  return createDecipheriv(name, contentKey, iv);
}

const BLOCK_BYTES = 16;

const wrongKeyOrChanged = (): DecryptionFailed =>
  new DecryptionFailed(
    'wrong-key-or-changed',
    'The envelope does not open: it is for another key, or was changed.',
  );
