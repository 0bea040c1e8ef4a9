import { failed, resultsOf, type ValidationResults } from '../../pki/validation-results.ts';
import { XmlRefused } from '../xades/errors.ts';
import type { Coverage } from '../xades/verify/references.ts';
import type { XadesReport, XadesSignatureReport } from '../xades/verify/report.ts';
import { verifyXades, type XadesContext } from '../xades/verify/verify.ts';
import { part } from './covered-part.ts';
import type { FoundFile, FoundSignature } from './found.ts';
import { VerificationRefused } from './refused.ts';
import type { CoveredPart, FileCoverage } from './report-parts.ts';
import { coverageIn } from './xades-coverage.ts';

type Context = Pick<XadesContext, 'judge' | 'atMs'> & {
  /** The elements that must be covered. None: the whole document. */
  readonly covers: readonly string[];
};

/** The signatures of an XML document. Throws VerificationRefused for what is no XML or a hostile one. */
export async function findInXml(document: Uint8Array, { covers, ...context }: Context): Promise<FoundFile> {
  const asked = covers.length > 0 ? { covers } : {};
  const report = await verifyXades(document, { ...context, ...asked }).catch(refuse);
  const { signatures } = report;
  if (signatures.length === 0) return { format: 'XAdES', results: NONE, coverage: NOTHING, signatures: [] };
  const { coverage, results } = fileLevelOf(report, covers);
  return { format: 'XAdES', results, coverage, signatures: signatures.map(foundIn) };
}

const NONE = resultsOf([failed('DecodeError', 'The XML document holds no signature.')]);
const NOTHING: FileCoverage = { isComplete: false, covered: [], missing: ['the whole document'] };

function refuse(error: unknown): never {
  if (!(error instanceof XmlRefused)) throw error;
  const reason = error.reason === 'too-complex' ? 'too-complex' : 'unreadable';
  throw new VerificationRefused(reason, error.message, { cause: error });
}

type FileLevel = { readonly coverage: FileCoverage; readonly results: ValidationResults };

/** What the engine says of the document as a whole; worked out here where it says nothing. */
const fileLevelOf = (report: XadesReport & Partial<FileLevel>, covers: readonly string[]): FileLevel =>
  report.coverage && report.results
    ? { coverage: report.coverage, results: report.results }
    : coverageIn(report.signatures, covers);

type Engine = XadesSignatureReport & {
  readonly countersigns?: string;
  readonly archiveTimestamps?: FoundSignature['archiveTimestamps'];
};

const foundIn = (signature: Engine): FoundSignature => ({
  ...signature,
  kind: signature.countersigns === undefined ? 'signature' : 'countersignature',
  place: signature.path,
  covers: signature.covers.flatMap(coveredPart),
  archiveTimestamps: signature.archiveTimestamps ?? [],
  countersignatures: [],
});

function coveredPart({ kind, path, isRoot, without, comments }: Coverage): CoveredPart[] {
  const more = { isRoot, withoutSignatures: without === 'all-signatures', comments };
  if (kind === 'document') return [part('document', more)];
  // Of a signature's own parts only an object holds content.
  if (kind === 'own-part') return /\/(?:\w+:)?Object\b/.test(path) ? [part('content', more)] : [];
  return [part(kind, { ...more, path })];
}
