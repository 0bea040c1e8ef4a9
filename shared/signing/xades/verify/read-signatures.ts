import { XmlAttribute } from 'libxml2-wasm';
import type { Budget } from '../../../bounds/budget.ts';
import { errorFinding, type Finding } from '../../../pki/findings/validation-results.ts';
import type { CheckSummary } from '../../cms/integrity.ts';
import { DS, XADES } from '../algorithms.ts';
import { XmlRefused } from '../errors.ts';
import { type Signature, signaturesOf } from '../signatures.ts';
import { idOf } from '../xml/selector.ts';
import { type FormOf, takeForms } from '../xml/take-forms.ts';
import { openXml, type Tree } from '../xml/tree.ts';

import { type CoverageClaim, type ResolvedSignature, readCoverage } from './document-coverage.ts';
import { attributeOf, NotAccepted, Unsupported } from './dom.ts';
import { readClaim, type SignatureClaim, type SignatureFacts } from './facts.ts';
import { createReader } from './reader.ts';
import { readSignedInfo, type SignedInfo } from './signed-info.ts';

/** A signature that was read, or the reason why it could not be. */
export type Reading = { readonly path: string; readonly id: string | undefined } & (
  | { readonly facts: SignatureFacts }
  | { readonly refusal: CheckSummary }
);

export type Readings = { readonly readings: readonly Reading[]; readonly coverage: CoverageClaim };

export type ReadOptions = {
  readonly idAttributes: readonly string[];
  /** Selectors of the elements that must be covered; the whole document when there are none. */
  readonly covers: readonly string[];
};

type Read = Pick<Reading, 'path' | 'id'> & { readonly claim: SignatureClaim | CheckSummary };

/** Reads the signatures of a document, in document order, and the coverage that they claim. */
export function readSignatures(document: Uint8Array, options: ReadOptions, budget: Budget): Readings {
  const { first, formOf } = takeForms(openXml(document, budget), (tree) => {
    const { reads, coverage } = readAll(tree, options);
    return {
      reads,
      coverage,
      requests: reads.flatMap(({ claim }) => ('requests' in claim ? claim.requests : [])),
    };
  });
  return { readings: first.reads.map((read) => concludeReading(read, formOf)), coverage: first.coverage };
}

function readAll(tree: Tree, { idAttributes, covers }: ReadOptions) {
  const signatures = signaturesOf(tree);
  const begun = signatures.map((signature) => ({
    signature,
    info: catchRefusal(() => readSignedInfo(signature)),
  }));
  const ids = begun.flatMap(({ info }) => referencedIds(info).flatMap((id) => id ?? []));
  const reader = createReader(
    tree,
    signatures,
    [...ids, ...covers.flatMap((one) => idOf(one) ?? []), ...signatures.flatMap(ownIdentifiers)],
    { idAttributes, idsOf: ({ at }) => referencedIds(begun[at]?.info) },
  );
  const claims = begun.map(({ signature, info }) => ({
    signature,
    claim: 'references' in info ? catchRefusal(() => readClaim(reader, signature, info)) : info,
  }));
  return {
    reads: claims.map(({ signature, claim }): Read => ({ ...placeOf(reader.pathOf, signature), claim })),
    coverage: readCoverage(
      reader,
      claims.flatMap(({ signature, claim }): ResolvedSignature[] =>
        'references' in claim ? [{ signature, references: claim.references }] : [],
      ),
      covers,
    ),
  };
}

const referencedIds = (info: SignedInfo | CheckSummary | undefined) =>
  info && 'references' in info
    ? [info, ...info.manifests].flatMap(({ references }) => references.map(({ id }) => id))
    : [];

// Everything in a signature that holds no content: the values of its attributes, among them the identifiers.
const OWN =
  'self::*/@* | ds:SignatureValue/@* | ds:KeyInfo/descendant-or-self::*/@* | ds:Object/@* | ds:Object/xades:QualifyingProperties/@* | ds:Object/xades:QualifyingProperties/xades:UnsignedProperties/descendant-or-self::*/@*';

const ownIdentifiers = ({ element }: Signature): string[] =>
  element
    .find(OWN, { ds: DS, xades: XADES })
    .flatMap((node) => (node instanceof XmlAttribute ? [node.value] : []));

const placeOf = (pathOf: (element: Signature['element']) => string, { element }: Signature) => ({
  path: pathOf(element),
  id: attributeOf(element, 'Id'),
});

const refusal = (intact: CheckSummary['intact'], finding: Finding): CheckSummary => ({
  intact,
  findings: [finding],
});

// A malformed signature becomes a finding on that signature. XmlRefused is about the whole document and propagates.
function catchRefusal<T>(read: () => T): T | CheckSummary {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotAccepted)) throw error;
    // A fault of the schema stands in the way of every comparison: nothing was found to be changed.
    const isUnread = error instanceof Unsupported || error.type === 'InvalidXmlSignatureSchema';
    return refusal(isUnread ? undefined : false, errorFinding(error.type, error.message));
  }
}

function concludeReading({ path, id, claim }: Read, formOf: FormOf): Reading {
  if (!('requests' in claim)) return { path, id, refusal: claim };
  try {
    return { path, id, facts: claim.facts(formOf) };
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    // A covered part has no canonical form, or exceeds the memory budget: the signature was not checked.
    return {
      ...{ path, id },
      refusal: refusal(undefined, errorFinding('AlgorithmNotAllowed', error.message)),
    };
  }
}
