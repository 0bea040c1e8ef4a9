import {
  errorFinding,
  type Finding,
  passedFinding,
  warningFinding,
} from '../../../pki/findings/validation-results.ts';
import { type CheckSummary, combineChecks } from '../../cms/integrity.ts';
import type { Reference } from './references.ts';

/** Reference validation (XML Signature, 3.2.1): compares each reference's DigestValue with the digest of the content now. */
export function checkDigests(
  references: readonly Reference[],
  digestOf: (reference: Reference) => Buffer,
): CheckSummary {
  return combineChecks(
    references.map((reference) => {
      const what = describeReference(reference);
      const intact = digestOf(reference).equals(reference.value);
      const finding = intact
        ? passedFinding(`${what} as signed.`)
        : errorFinding('MessageDigestMismatch', `${what} not as signed: the digests differ.`);
      return { intact, findings: [finding, ...coverageFindings(reference), ...wrappingFindings(reference)] };
    }),
  );
}

// The canonical form has no comments, so the digest does not change with them. One that splits a text is an attack on
// readers, or a document that they read in different ways (comment injection); any other is only reported.
function coverageFindings({ coverage: { path, comments, splitText, isTextOnly } }: Reference): Finding[] {
  return [
    ...(comments > 0
      ? [
          warningFinding(
            'XmlDSigCoreValidationFailed',
            `Inside ${path} stand ${comments} comments that the signature does not cover: anyone may have put them there.`,
          ),
        ]
      : []),
    ...(splitText
      ? [
          errorFinding(
            'ForbiddenUnsignedAttributePresent',
            `A comment that the signature does not cover splits the text of ${splitText}: a reader could take a part of it for the whole.`,
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

// Signature wrapping (McIntosh and Austel, 2005): the signed element is moved away and a forged one is put around the
// signature. The enveloped-signature transform then removes nothing from the moved element, and its digest still
// matches. 'beside' is only a warning: Brazil's electronic invoices (NF-e) place the signature beside its element and
// still name the transform.
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

/** A signature over its own parts alone (keys, properties, an object elsewhere than at the root) signs no content. */
export const contentFindings = (references: readonly Reference[]): Finding[] =>
  references.some(({ isContent }) => isContent)
    ? []
    : [errorFinding('RequiredSignedAttributeMissing', 'The signature covers nothing but itself.')];
