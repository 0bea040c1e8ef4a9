import { childrenOf, type Element, readBitString, readCount } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { isText, readText } from '../../der/text-and-time.ts';
import { readElement } from '../cms/ber-or-der.ts';

/** A TimeStampResp (RFC 3161, 2.4.2): a token, or why there is none. */
export type TimestampResponse =
  | { readonly granted: true; readonly token: Buffer }
  | {
      readonly granted: false;
      readonly status: number;
      readonly failure: Failure | undefined;
      readonly text: string;
    };

export const FAILURE_BITS = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  timeNotAvailable: 14,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  addInfoNotAvailable: 17,
  systemFailure: 25,
} as const;

export type Failure = keyof typeof FAILURE_BITS;

const MAX_TEXT_CHARACTERS = 500; // an authority's text appears in messages

/** Throws CmsMalformed and nothing else. */
export const readResponse = (bytes: Buffer): TimestampResponse => readElement(bytes, readResponseFields);

function readResponseFields(element: Element): TimestampResponse {
  const [info, token] = childrenOf(element, TAG.SEQUENCE);
  const [status, ...rest] = childrenOf(info, TAG.SEQUENCE);
  const code = readCount(status);
  // 0: granted. 1: granted with modifications, which the checks of the token cover.
  if (code <= 1 && token) return { granted: true, token: token.raw };
  const texts = rest.find(({ tag }) => tag === TAG.SEQUENCE);
  const bits = rest.find(({ tag }) => tag === TAG.BIT_STRING);
  return {
    granted: false,
    status: code,
    failure: bits && readFailure(bits),
    text: (texts ? childrenOf(texts, TAG.SEQUENCE).filter(isText).map(readText) : [])
      .join(' ')
      .slice(0, MAX_TEXT_CHARACTERS),
  };
}

function readFailure(element: Element): Failure | undefined {
  const { bytes } = readBitString(element);
  const isSet = (bit: number): boolean => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0;
  return (Object.keys(FAILURE_BITS) as Failure[]).find((failure) => isSet(FAILURE_BITS[failure]));
}
