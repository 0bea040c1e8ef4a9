import type { XmlElement } from 'libxml2-wasm';
import { errorFinding, type Finding, warningFinding } from '../../../pki/findings/validation-results.ts';
import { DEFAULT_CANONICALIZATION } from '../algorithms.ts';
import { XmlRefused } from '../errors.ts';
import type { Signature } from '../signatures.ts';
import type { Canonicalization } from '../xml/canonical.ts';
import type { FormOutput } from '../xml/sink.ts';
import type { FormOf } from '../xml/take-forms.ts';
import type { FormRequest } from '../xml/task.ts';
import {
  base64Of,
  elementsIn,
  filterByName,
  isNamed,
  NotAccepted,
  optionalChild,
  orMalformed,
} from './dom.ts';
import { readCanonicalization } from './transforms.ts';
import { notJudgedFinding } from './unsigned-properties.ts';

type Token = {
  readonly token: Buffer;
  /** The position of its property among the unsigned ones. An archive timestamp covers those before it. */
  readonly at: number;
};

/** A timestamp token, and the bytes that it must cover, in order. */
export type StampedBytes = Token & { readonly over: readonly Buffer[] };

/** The same, before those bytes are written. */
export type Stamp = Token & { readonly inputs: readonly (FormRequest | Buffer)[] };

export type Stamps = { readonly stamps: readonly Stamp[]; readonly findings: readonly Finding[] };

// Denial of service: each token costs a signature check and a path, and anyone can add one.
const MAX_STAMPS = 8;

/** Joins the timestamps of several properties, up to MAX_STAMPS. */
export function mergeStamps(each: readonly Stamps[]): Stamps {
  const stamps = each.flatMap((one) => one.stamps);
  const findings = each.flatMap((one) => one.findings);
  if (stamps.length <= MAX_STAMPS) return { stamps, findings };
  const left = warningFinding(
    'UnknownUnsignedAttributesPresent',
    `The signature carries ${stamps.length} timestamps of one kind. Only the first ${MAX_STAMPS} were judged.`,
  );
  return { stamps: stamps.slice(0, MAX_STAMPS), findings: [...findings, left] };
}

/** The signature timestamps among the unsigned properties. */
export const signatureStamps = (
  signature: Signature,
  properties: readonly XmlElement[],
  value: XmlElement,
): Stamps =>
  mergeStamps(
    properties
      .map((property, at) => ({ property, at }))
      .filter(({ property }) => isNamed(property, 'xades:SignatureTimeStamp'))
      .map(({ property, at }) => {
        const read = readStamp(property);
        if (read instanceof NotAccepted)
          return { stamps: [], findings: [errorFinding('InvalidSignatureTimestamp', unreadable(read))] };
        if (!read)
          return {
            stamps: [],
            findings: [
              warningFinding(
                'SignatureTimestampIgnored',
                'A timestamp is of a kind, or over a canonical form, that is not supported; its time is not used.',
              ),
            ],
          };
        const inputs = [partOf(signature, { name: 'value', element: value, how: read.how, as: 'bytes' })];
        return { stamps: read.tokens.map((token) => ({ token, at, inputs })), findings: [] };
      }),
  );

/** @example unreadable(error) // 'A timestamp cannot be read: EncapsulatedTimeStamp is not Base64.' */
export const unreadable = ({ message }: NotAccepted): string => `A timestamp cannot be read: ${message}`;

type ReadStamp = { readonly tokens: readonly Buffer[]; readonly how: Canonicalization };

/**
 * The tokens of a timestamp property, and the canonicalisation of the bytes they cover. Undefined if not supported. A
 * malformed one breaks nothing but itself, because no signature covers it.
 */
export const readStamp = (property: XmlElement): ReadStamp | NotAccepted | undefined =>
  orMalformed(() => readWellFormed(property));

function readWellFormed(property: XmlElement): ReadStamp | undefined {
  const method = optionalChild(property, 'ds:CanonicalizationMethod');
  const how = method ? readCanonicalization(method) : DEFAULT_CANONICALIZATION;
  const tokens = filterByName(elementsIn(property), 'xades:EncapsulatedTimeStamp').map(base64Of);
  return how && tokens.length ? { tokens, how } : undefined;
}

/** The tokens with the bytes that they must cover. A token whose bytes exceed the budget is reported as not judged. */
export function resolveStamps(
  { stamps, findings }: Stamps,
  formOf: FormOf,
): { readonly stamped: readonly StampedBytes[]; readonly findings: readonly Finding[] } {
  const stamped: StampedBytes[] = [];
  const refused: Finding[] = [];
  for (const { token, at, inputs } of stamps) {
    const forms = inputs.map((input) => (Buffer.isBuffer(input) ? input : formOf(input)));
    const over = forms.flatMap((form) => (form instanceof XmlRefused ? [] : [form]));
    if (over.length === forms.length) stamped.push({ token, at, over });
    else refused.push(notJudgedFinding('a timestamp', 'it is over more bytes than can be held'));
  }
  return { stamped, findings: [...findings, ...refused] };
}

type Part = {
  readonly name: string;
  readonly element: XmlElement;
  readonly how: Canonicalization;
  readonly as: FormOutput;
};

/** A request for the canonical form of a signature's own part. `name` distinguishes it from the other parts. */
export const partOf = ({ at }: Signature, { name, element, how, as }: Part): FormRequest => ({
  key: JSON.stringify({ signature: at, name, how }),
  of: element,
  without: [],
  how,
  as,
});
