import { createDecipheriv, type Decipheriv, type KeyObject } from 'node:crypto';
import { childrenOf, type Element, expectTag, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import {
  type AlgorithmIdentifier,
  type Certificate,
  readAlgorithm,
} from '../../pki/certificate/certificate.ts';
import { orUndefined, readElement } from '../cms/ber-or-der.ts';
import {
  close,
  hasMore,
  type Opened,
  openTag,
  passString,
  takeElement,
  takeElements,
} from '../cms/ber-parser.ts';
import { createInput, type Input, type Parser, parseStream, type Source } from '../cms/input.ts';
import { CONTENT } from '../cms/oids.ts';
import { readSignerId, type SignerId } from '../cms/read.ts';
import { findCertificates } from '../cms/signer-certificate.ts';
import { CmsMalformed } from '../errors.ts';
import { CIPHERS, cipherByOid, unwrapKey, wrappingOf } from './algorithms.ts';
import { DecryptionFailed } from './errors.ts';

export type Opener = { readonly certificate: Certificate; readonly privateKey: KeyObject };

/**
 * Decrypts a CMS EnvelopedData, in a stream. A wrong key or changed bytes show at the end or not at all: the format
 * authenticates nothing, so verify the signature inside. Throws DecryptionFailed and nothing else.
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
    return undefined; // the padding is wrong
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

/** A content key wrapped for one recipient's RSA key. */
type Recipient = {
  readonly id: SignerId;
  readonly algorithm: AlgorithmIdentifier;
  readonly wrapped: Buffer;
};

/** The fields before the ciphertext. */
type EnvelopeHead = {
  readonly recipients: readonly Recipient[];
  readonly cipher: AlgorithmIdentifier;
};

/** Splits an EnvelopedData in DER or BER: first its head, then its ciphertext as a stream. */
function* splitEnveloped(onHead: (head: EnvelopeHead) => void): Parser<void> {
  const input = createInput();
  const info = yield* openTag(input, TAG.SEQUENCE);
  const kind = readElement(yield* takeElement(input, info), readOid);
  if (kind !== CONTENT.envelopedData)
    throw new CmsMalformed(`This is no EnvelopedData: its type is ${kind}.`);
  const tagged = yield* openTag(input, context(0), info);
  const body = yield* openTag(input, TAG.SEQUENCE, tagged);
  yield* takeElement(input, body); // version
  if ((yield* input.peek(1))[0] === context(0)) yield* takeElement(input, body); // the originator's certificates
  const infos = yield* takeElements(input, yield* openTag(input, TAG.SET, body));
  const encrypted = yield* openTag(input, TAG.SEQUENCE, body);
  yield* takeElement(input, encrypted); // the content's type
  const cipher = readElement(yield* takeElement(input, encrypted), readAlgorithm);
  onHead({ recipients: infos.flatMap(keyTransportRecipients), cipher });
  yield* passCiphertext(input, encrypted);
  while (yield* hasMore(input, body)) yield* takeElement(input, body); // unprotected attributes
  for (const opened of [body, tagged, info]) yield* close(input, opened);
  if ((yield* input.peek(1)).length) throw new CmsMalformed('Bytes follow the CMS structure.');
}

function* passCiphertext(input: Input, encrypted: Opened): Parser<void> {
  const [tag = 0] = yield* input.peek(1);
  yield* passString(
    input,
    yield* openTag(input, tag & 0x20 ? context(0) : context(0, 'primitive'), encrypted),
  );
  yield* close(input, encrypted);
}

// Other kinds of recipients (key agreement, passwords) have context tags and are skipped.
function keyTransportRecipients(raw: Buffer): Recipient[] {
  if (raw[0] !== TAG.SEQUENCE) return [];
  return [readElement(raw, readRecipient)];
}

function readRecipient(sequence: Element): Recipient {
  const [, id, algorithm, wrapped] = childrenOf(sequence, TAG.SEQUENCE);
  return {
    id: readSignerId(id),
    algorithm: readAlgorithm(algorithm),
    wrapped: expectTag(wrapped, TAG.OCTET_STRING).content,
  };
}
