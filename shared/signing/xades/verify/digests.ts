import type { XmlElement } from 'libxml2-wasm';
import {
  errorFinding,
  type Finding,
  passedFinding,
  warningFinding,
} from '../../../pki/findings/validation-results.ts';
import { type CheckResult, combineChecks } from './check-result.ts';
import { elementsIn, filterByName } from './dom.ts';
import { olderQualifyingOf, qualifyingOf } from './properties.ts';
import type { Reader } from './reader.ts';
import type { Reference } from './references.ts';

/** Compares everything that the signature covers with what was signed: `digestOf` gives what is there now. */
export function checkDigests(
  references: readonly Reference[],
  digestOf: (reference: Reference) => Buffer,
): CheckResult {
  return combineChecks(
    references.map((reference) => {
      const what = describeReference(reference);
      const intact = digestOf(reference).equals(reference.value);
      const finding = intact
        ? passedFinding(`${what} as signed.`)
        : errorFinding('MessageDigestMismatch', `${what} not as signed: the digests differ.`);
      return { intact, findings: [finding, ...coverageWarnings(reference), ...wrappingFindings(reference)] };
    }),
  );
}

function coverageWarnings({ digest, coverage: { path, comments, isTextOnly } }: Reference): Finding[] {
  return [
    ...(digest === 'sha1'
      ? [warningFinding('AlgorithmNotAllowed', 'A digest of the signature is SHA-1.')]
      : []),
    ...(comments > 0
      ? [
          warningFinding(
            'XmlDSigCoreValidationFailed',
            `Inside ${path} stand ${comments} comments that the signature does not cover: anyone may have put them there.`,
          ),
        ]
      : []),
    ...(isTextOnly
      ? [
          warningFinding(
            'XmlDSigCoreValidationFailed',
            `Of ${path} only the bytes that its text spells are signed, and not its name or attributes.`,
          ),
        ]
      : []),
  ];
}

// Wrapping attack: the signed element is moved away and a forged one put around the signature, which finds nothing to
// take out of the moved one and so still matches. Beside its element a signature is where Brazil's electronic invoices
// (NF-e and the like) have it, with a transform that does nothing there.
function wrappingFindings({ enveloped, coverage: { path } }: Reference): Finding[] {
  if (enveloped === 'elsewhere')
    return [
      errorFinding(
        'XmlDSigCoreValidationFailed',
        `The signature says to stand inside ${path} and does not: one of the two was moved.`,
      ),
    ];
  if (enveloped === 'beside')
    return [
      warningFinding(
        'XmlDSigCoreValidationFailed',
        `The signature says to stand inside ${path} and stands beside it. Only ${path} is signed.`,
      ),
    ];
  return [];
}

function describeReference({ isProperties, coverage }: Reference): string {
  if (isProperties) return 'The signed properties are';
  return coverage.kind === 'document' ? 'The document is' : `The element ${coverage.path} is`;
}

/** A signature is about something: its own parts are not enough. */
export const contentFindings = (references: readonly Reference[]): Finding[] =>
  references.some(({ isContent }) => isContent)
    ? []
    : [errorFinding('XmlDSigCoreValidationFailed', 'The signature covers nothing but itself.')];

/** Tells of objects that the signature carries and does not sign: they could be taken for the signer's word. */
export function unsignedObjectFindings(
  signature: XmlElement,
  references: readonly Reference[],
  pathOf: Reader['pathOf'],
): Finding[] {
  const qualifying = [qualifyingOf(signature), olderQualifyingOf(signature)];
  const isSigned = (element: XmlElement): boolean =>
    references.some(({ target }) => target !== 'document' && target.isSameNode(element));
  return filterByName(elementsIn(signature), 'ds:Object')
    .filter((object) => !isSigned(object))
    .flatMap((object) => elementsIn(object))
    .filter((content) => !isSigned(content) && !qualifying.some((one) => one?.isSameNode(content)))
    .map((content) =>
      errorFinding(
        'XmlDSigCoreValidationFailed',
        `The signature carries ${pathOf(content)}, which it does not sign.`,
      ),
    );
}
