import { createDecipheriv, type Decipheriv, type KeyObject } from 'node:crypto';
import { childrenOf, type Element, expectTag, readCount, readOid } from '../../der/read.ts';
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
import {
  CIPHERS,
  type CipherMode,
  cipherByOid,
  type GcmCipher,
  unwrapKey,
  wrappingOf,
} from './algorithms.ts';
import { DecryptionFailed } from './errors.ts';

export type Opener = { readonly certificate: Certificate; readonly privateKey: KeyObject };

/**
 * Decrypts a CMS EnvelopedData (RFC 5652, 6) or AuthEnvelopedData (RFC 5083), in a stream. A wrong key or changed bytes
 * show at the end; in an EnvelopedData maybe not at all, as it authenticates nothing. Use nothing of it before the end,
 * and verify the signature inside. Throws DecryptionFailed and nothing else.
 * @example await pipeline(openEnveloped(createReadStream('a.p7m.enc'), holder), createWriteStream('a.p7m'));
 */
export async function* openEnveloped(source: Source, opener: Opener): AsyncGenerator<Buffer> {
  let decipher: Decryption | undefined;
  const parser = splitEnveloped({
    onHead: (head) => {
      decipher = createDecryption(head, opener);
    },
    onTag: (tag) => decipher?.setTag(tag),
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

function finishDecryption(decipher: Decryption | undefined): Buffer | undefined {
  try {
    return decipher?.final();
  } catch {
    return undefined; // the padding or the tag is wrong
  }
}

type Decryption = Pick<Decipheriv, 'update' | 'final'> & { setTag(tag: Buffer): void };

function createDecryption(
  { recipients, cipher, mode }: EnvelopeHead,
  { certificate, privateKey }: Opener,
): Decryption {
  const name = cipherByOid(cipher.oid, mode);
  const parameters = orUndefined(() => PARAMETERS[mode](cipher.parameters));
  if (!name || !parameters)
    throw new DecryptionFailed(
      'unsupported',
      `The envelope's cipher ${cipher.oid} is not known here: AES in ${mode} mode is.`,
    );
  const recipient = recipients.find(({ id }) => findCertificates(id, [certificate]).length);
  if (!recipient)
    throw new DecryptionFailed('not-for-this-key', 'The envelope is for other certificates than this one.');
  const wrapping = orUndefined(() => wrappingOf(recipient.algorithm));
  if (!wrapping)
    throw new DecryptionFailed('unsupported', 'The envelope wraps its key in a way that is not known here.');
  const contentKey = unwrapKey(privateKey, wrapping, recipient.wrapped);
  if (contentKey?.length !== CIPHERS[name].keyBytes) throw wrongKeyOrChanged();
  const { iv, tagBytes } = parameters;
  if (CIPHERS[name].mode === 'CBC')
    return Object.assign(createDecipheriv(name, contentKey, iv), { setTag: () => undefined });
  const decipher = createDecipheriv(name as GcmCipher, contentKey, iv, { authTagLength: tagBytes });
  return Object.assign(decipher, {
    setTag: (tag: Buffer) => {
      if (tag.length !== tagBytes) throw new CmsMalformed('Its tag has another length than it says.');
      decipher.setAuthTag(tag);
    },
  });
}

type CipherParameters = { readonly iv: Buffer; readonly tagBytes: number };

const MIN_TAG_BYTES = 12; // also the default (RFC 5084, 3.2)
const MAX_TAG_BYTES = 16;
const MAX_NONCE_BYTES = 64; // writers use 12; OpenSSL takes up to 128

const PARAMETERS: Readonly<
  Record<CipherMode, (element: Element | undefined) => CipherParameters | undefined>
> = {
  CBC: (element) => {
    const iv = expectTag(element, TAG.OCTET_STRING).content;
    return iv.length === BLOCK_BYTES ? { iv, tagBytes: 0 } : undefined;
  },
  GCM: (element) => {
    const [nonce, length] = childrenOf(element, TAG.SEQUENCE);
    const iv = expectTag(nonce, TAG.OCTET_STRING).content;
    const tagBytes = length ? readCount(length) : MIN_TAG_BYTES;
    const isTagKnown = tagBytes >= MIN_TAG_BYTES && tagBytes <= MAX_TAG_BYTES;
    return isTagKnown && iv.length > 0 && iv.length <= MAX_NONCE_BYTES ? { iv, tagBytes } : undefined;
  },
};

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
  readonly mode: CipherMode;
};

type Visitor = { onHead(head: EnvelopeHead): void; onTag(tag: Buffer): void };

// Downgrade from AEAD to CBC: ciphertext of GCM in an EnvelopedData would come out as unauthenticated blocks. Each kind of
// envelope has the ciphers of one mode.
const MODES: ReadonlyMap<string, CipherMode> = new Map([
  [CONTENT.envelopedData, 'CBC'],
  [CONTENT.authEnvelopedData, 'GCM'],
]);

/** Splits an envelope in DER or BER: its head, its ciphertext as a stream, and the tag of an AuthEnvelopedData. */
function* splitEnveloped({ onHead, onTag }: Visitor): Parser<void> {
  const input = createInput();
  const info = yield* openTag(input, TAG.SEQUENCE);
  const kind = readElement(yield* takeElement(input, info), readOid);
  const mode = MODES.get(kind);
  if (!mode) throw new CmsMalformed(`This is no EnvelopedData: its type is ${kind}.`);
  const tagged = yield* openTag(input, context(0), info);
  const body = yield* openTag(input, TAG.SEQUENCE, tagged);
  yield* takeElement(input, body); // version
  if ((yield* input.peek(1))[0] === context(0)) yield* takeElement(input, body); // the originator's certificates
  const infos = yield* takeElements(input, yield* openTag(input, TAG.SET, body));
  const encrypted = yield* openTag(input, TAG.SEQUENCE, body);
  yield* takeElement(input, encrypted); // the content's type
  const cipher = readElement(yield* takeElement(input, encrypted), readAlgorithm);
  onHead({ recipients: infos.flatMap(keyTransportRecipients), cipher, mode });
  yield* passCiphertext(input, encrypted);
  if (mode === 'GCM') onTag(yield* takeAuthenticationTag(input, body));
  while (yield* hasMore(input, body)) yield* takeElement(input, body); // unprotected attributes
  for (const opened of [body, tagged, info]) yield* close(input, opened);
  if ((yield* input.peek(1)).length) throw new CmsMalformed('Bytes follow the CMS structure.');
}

// Authenticated attributes stand after the ciphertext and are needed before it: a stream cannot be checked with them.
function* takeAuthenticationTag(input: Input, body: Opened): Parser<Buffer> {
  if ((yield* input.peek(1))[0] === context(1))
    throw new DecryptionFailed(
      'unsupported',
      'The envelope is an AuthEnvelopedData with authenticated attributes, which are not supported here.',
    );
  return readElement(yield* takeElement(input, body), (tag) => expectTag(tag, TAG.OCTET_STRING).content);
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
