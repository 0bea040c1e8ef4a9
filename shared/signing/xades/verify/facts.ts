import type { XmlElement } from 'libxml2-wasm';
import { chargeTime } from '../../../bounds/budget.ts';
import { errorFinding, type Finding } from '../../../pki/findings/validation-results.ts';
import { type CheckSummary, combineChecks } from '../../cms/integrity.ts';
import { type Digest, hashOf } from '../../digest.ts';
import type { SignatureMethod } from '../algorithms.ts';
import type { Signature } from '../signatures.ts';
import type { Canonicalization } from '../xml/canonical.ts';
import { requireForm } from '../xml/sink.ts';
import type { FormOf } from '../xml/take-forms.ts';
import type { FormRequest } from '../xml/task.ts';

import { archiveStamps } from './archive-stamps.ts';
import { type CountersignatureResult, checkCountersignature } from './countersignature.ts';
import { checkDigests, contentFindings } from './digests.ts';
import { algorithmOf, base64Of, orUnsupported, partition, requireChild, Unsupported } from './dom.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { foreignFindings } from './foreign-content.ts';
import { type SignedProperties, signedPropertiesOf } from './properties.ts';
import type { Reader } from './reader.ts';
import { ContentOutside, type Coverage, type Reference, resolveReference } from './references.ts';
import { type Manifest, readMethod, type SignedInfo } from './signed-info.ts';
import { splitTextFindings } from './split-text.ts';
import { partOf, resolveStamps, type StampedBytes, signatureStamps } from './stamps.ts';
import { readCanonicalization } from './transforms.ts';
import { unknownPropertyFindings, unsignedPropertiesOf } from './unsigned-properties.ts';

/** A signature's statements with the results of comparing them with the document. It holds no node of the parser. */
export type SignatureFacts = {
  /** Undefined where it is not supported. */
  readonly method: SignatureMethod | undefined;
  /** The digests of what the signature covers. */
  readonly digests: readonly Digest[];
  /** The canonical SignedInfo, which the key signed. Undefined where its canonicalisation is not supported. */
  readonly signed: Buffer | undefined;
  readonly value: Buffer;
  readonly evidence: Evidence;
  readonly properties: SignedProperties | undefined;
  readonly stamps: readonly StampedBytes[];
  readonly archiveStamps: readonly StampedBytes[];
  readonly covers: readonly Coverage[];
  /** Whether it covers content outside of the document. */
  readonly isDetached: boolean;
  readonly countersigns: CountersignatureResult['countersigns'];
  /** Whether the covered content is as signed. */
  readonly content: CheckSummary;
  /** Findings that do not bear on integrity. */
  readonly findings: readonly Finding[];
};

/** A signature's statements, and the canonical forms that are needed to check them. */
export type SignatureClaim = {
  readonly references: readonly Reference[];
  readonly requests: readonly FormRequest[];
  /** Concludes once every requested form is written. It reads no node. */
  facts(formOf: FormOf): SignatureFacts;
};

// Certificates, CRLs and tokens are parsed as DER, the densest content of a document.
const EVIDENCE_BYTE_UNITS = 60;

/**
 * Reads a signature. Signature wrapping: its references are resolved in the same tree that it is read from, once, and
 * digested at that position, so the reported path is the one that was verified (XML Signature, 8.1.3: see what is signed).
 */
export function readClaim(reader: Reader, signature: Signature, info: SignedInfo): SignatureClaim {
  const { element } = signature;
  const valueElement = requireChild(element, 'ds:SignatureValue');
  const own = resolveAll(reader, signature, info);
  const listed = signedManifests(info, own.references).map((list) => resolveAll(reader, signature, list));
  const references = [own, ...listed].flatMap((list) => list.references);
  const unsupported = [own, ...listed].flatMap((list) => list.unsupported);
  const how = orUnsupported(() => canonicalizationOf(info.element));
  const method = orUnsupported(() => readMethod(requireChild(info.element, 'ds:SignatureMethod')));
  const properties = unsignedPropertiesOf(element);
  const stamps = signatureStamps(signature, properties, valueElement);
  const archives = archiveStamps({
    ...{ signature, properties },
    references: unsupported.length ? undefined : own.references,
  });
  const { evidence, findings: unread } = evidenceOf(element);
  const held = [
    ...Object.values(evidence).flat(),
    ...[...stamps.stamps, ...archives.stamps].map(({ token }) => token),
  ];
  chargeTime(reader.tree.budget, EVIDENCE_BYTE_UNITS * held.reduce((sum, { length }) => sum + length, 0));
  const { properties: signedProperties, findings: ofProperties } = signedPropertiesOf(element, references);
  const unknown = unknownPropertyFindings(properties);
  const foreign = foreignFindings(reader, { signature, references, hasUnread: unsupported.length > 0 });
  const splitting = splitTextFindings(reader, references);
  const { countersigns, findings: countersigning } = checkCountersignature(reader, signature, references);
  const value = base64Of(valueElement);
  const ofSignedInfo =
    how instanceof Unsupported
      ? undefined
      : partOf(signature, { name: 'ds:SignedInfo', element: info.element, how, as: 'bytes' });
  const inputs = [
    ...references.map(({ input }) => input),
    ...[...stamps.stamps, ...archives.stamps].flatMap((stamp) => stamp.inputs),
  ];
  return {
    references,
    requests: [
      ...(ofSignedInfo ? [ofSignedInfo] : []),
      ...inputs.flatMap((input) => (Buffer.isBuffer(input) ? [] : [input])),
    ],
    facts: (formOf) => {
      const digestOf = ({ input, digest }: Reference): Buffer =>
        Buffer.isBuffer(input) ? hashOf(digest, input) : requireForm(formOf(input));
      const stamped = resolveStamps(stamps, formOf);
      const archived = resolveStamps(archives, formOf);
      return {
        method: method instanceof Unsupported ? undefined : method,
        digests: references.map(({ digest }) => digest),
        signed: ofSignedInfo && requireForm(formOf(ofSignedInfo)),
        ...{ value, evidence, countersigns },
        isDetached: unsupported.some((one) => one instanceof ContentOutside),
        properties: signedProperties,
        stamps: stamped.stamped,
        archiveStamps: archived.stamped,
        covers: references.filter(({ isProperties }) => !isProperties).map(({ coverage }) => coverage),
        content: combineChecks([
          { intact: true, findings: [...ofProperties, ...foreign, ...splitting] },
          ...[...unsupported, how, method].filter((one) => one instanceof Unsupported).map(uncheckedSummary),
          checkDigests(references, digestOf),
        ]),
        findings: [
          ...(unsupported.length ? [] : contentFindings(references)),
          ...countersigning,
          ...stamped.findings,
          ...archived.findings,
          ...unknown,
          ...unread,
        ],
      };
    },
  };
}

type References = { readonly references: readonly Reference[]; readonly unsupported: readonly Unsupported[] };

function resolveAll(reader: Reader, signature: Signature, list: Omit<Manifest, 'element'>): References {
  const { read, unsupported } = partition(
    list.references.map((one) => orUnsupported(() => resolveReference(reader, signature, one))),
  );
  return { references: read, unsupported: [...list.unsupported, ...unsupported] };
}

// A manifest counts where the signature covers it or its ds:Object, whole. Its references must hold as the signature's own
// do. A list within the list is not followed. The signed properties are named by the signature itself, never by a list.
const signedManifests = ({ manifests }: SignedInfo, references: readonly Reference[]): Manifest[] =>
  manifests
    .filter(({ element }) =>
      references.some(
        ({ target, plan }) =>
          target !== 'document' &&
          plan.output !== 'base64' &&
          (target.isSameNode(element) || element.parent?.isSameNode(target)),
      ),
    )
    .map((manifest) => ({
      ...manifest,
      references: manifest.references.map((one) => ({ ...one, type: undefined })),
    }));

const uncheckedSummary = ({ type, message }: Unsupported): CheckSummary => ({
  intact: undefined,
  findings: [errorFinding(type, message)],
});

function canonicalizationOf(parent: XmlElement): Canonicalization {
  const method = requireChild(parent, 'ds:CanonicalizationMethod');
  const how = readCanonicalization(method);
  if (how) return how;
  throw new Unsupported(
    'AlgorithmNotAllowed',
    `The canonicalisation ${algorithmOf(method).slice(0, 100)} is not supported.`,
  );
}
