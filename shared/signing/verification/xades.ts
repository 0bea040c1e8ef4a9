import { type XmlRefusal, XmlRefused } from '../xades/errors.ts';
import { WHOLE_DOCUMENT } from '../xades/verify/document-coverage.ts';
import type { Coverage } from '../xades/verify/references.ts';
import type { XadesSignatureReport } from '../xades/verify/report.ts';
import { verifyXades, type XadesContext } from '../xades/verify/verify.ts';
import type { FoundFile, FoundSignature } from './found.ts';
import { isOpen } from './reasons.ts';
import { type VerificationRefusal, VerificationRefused } from './refused.ts';
import { type CoveredPart, createPart } from './report-parts.ts';

type Context = Pick<XadesContext, 'judge' | 'atMs'> & {
  /** Selectors of the elements that must be covered. None: the whole document. */
  readonly covers: readonly string[];
};

/** The signatures of an XML document. Throws VerificationRefused for a document that is not XML or is hostile. */
export async function findInXml(document: Uint8Array, context: Context): Promise<FoundFile> {
  const { signatures, coverage, results } = await verifyXades(document, context).catch(refuse);
  return {
    format: 'XAdES',
    results,
    coverage: {
      ...coverage,
      covered: coverage.covered.map(pathText),
      missing: coverage.missing.map(pathText),
    },
    signatures: signatures.map(foundIn),
  };
}

const pathText = (path: string): string => (path === WHOLE_DOCUMENT ? 'the whole document' : path);

// Documents that may be well formed and are refused all the same.
const REASONS: Readonly<Partial<Record<XmlRefusal, VerificationRefusal>>> = {
  'too-complex': 'too-complex',
  doctype: 'unsupported',
  encoding: 'unsupported',
  version: 'unsupported',
  'relative-namespace': 'unsupported',
};

function refuse(error: unknown): never {
  if (!(error instanceof XmlRefused)) throw error;
  throw new VerificationRefused(REASONS[error.reason] ?? 'unreadable', error.message, { cause: error });
}

const foundIn = ({ isDetached, ...signature }: XadesSignatureReport): FoundSignature => ({
  ...signature,
  lacksContent: isDetached && isOpen(signature.results),
  kind: signature.countersigns === undefined ? 'signature' : 'countersignature',
  place: signature.path,
  covers: orNothing(signature.covers.flatMap(coveredParts)),
  countersignatures: [],
});

const orNothing = (parts: CoveredPart[]): CoveredPart[] =>
  parts.length > 0 ? parts : [createPart('nothing')];

// A ds:Object right below the root: the signature is the root (enveloping).
const ENVELOPED_OBJECT = /^\/[^/]+\/(?:[^/:]+:)?Object(?:\[\d+\])?(?:\/|$)/;

function coveredParts({ kind, path, isRoot, without, comments }: Coverage): CoveredPart[] {
  const more = { isRoot, withoutSignatures: without === 'all-signatures', comments };
  if (kind === 'document') return [createPart('document', more)];
  // Signature transplant: of a signature's own parts only an object holds content, and only in an enveloping signature.
  if (kind === 'own-part') return ENVELOPED_OBJECT.test(path) ? [createPart('content', more)] : [];
  return [createPart(kind, { ...more, path })];
}
