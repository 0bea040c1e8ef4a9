import { type Element, expectTag, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { type AlgorithmIdentifier, readAlgorithm } from '../../pki/certificate/certificate.ts';
import { partsOf, readElement } from '../cms/ber-or-der.ts';
import {
  close,
  hasMore,
  type Opened,
  openTag,
  passString,
  takeElement,
  takeElements,
} from '../cms/ber-parser.ts';
import { createInput, type Input, type Parser } from '../cms/input.ts';
import { CONTENT } from '../cms/oids.ts';
import { readSignerId, type SignerId } from '../cms/read.ts';
import { CmsMalformed } from '../errors.ts';

/** A content key wrapped for one recipient's RSA key. */
export type Recipient = {
  readonly id: SignerId;
  readonly algorithm: AlgorithmIdentifier;
  readonly wrapped: Buffer;
};

/** What stands before the ciphertext. */
export type EnvelopeHead = {
  readonly recipients: readonly Recipient[];
  readonly cipher: AlgorithmIdentifier;
};

/** Takes an EnvelopedData apart, in DER or BER: first its head, then its ciphertext as it comes. */
export function* splitEnveloped(onHead: (head: EnvelopeHead) => void): Parser<void> {
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

// Other kinds of recipients (key agreement, passwords) stand under context tags and are passed over.
function keyTransportRecipients(raw: Buffer): Recipient[] {
  if (raw[0] !== TAG.SEQUENCE) return [];
  return [readElement(raw, readRecipient)];
}

function readRecipient(sequence: Element): Recipient {
  const [, id, algorithm, wrapped] = partsOf(sequence, TAG.SEQUENCE);
  return {
    id: readSignerId(id),
    algorithm: readAlgorithm(algorithm),
    wrapped: expectTag(wrapped, TAG.OCTET_STRING).content,
  };
}
