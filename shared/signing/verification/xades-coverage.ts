import { failed, resultsOf, type ValidationResults } from '../../pki/validation-results.ts';
import type { Coverage } from '../xades/verify/references.ts';
import type { XadesSignatureReport } from '../xades/verify/report.ts';
import type { FileCoverage } from './report-parts.ts';

type FileLevel = { readonly coverage: FileCoverage; readonly results: ValidationResults };

/** Whether intact signatures cover the whole document or, where elements are named, each of these. */
export function coverageIn(
  signatures: readonly XadesSignatureReport[],
  covers: readonly string[],
): FileLevel {
  const holding = signatures.filter(({ intact }) => intact !== false);
  const parts = holding.flatMap((signature) => signature.covers.filter((one) => isContent(one, signature)));
  const isWhole = parts.some(({ kind, isRoot }) => kind !== 'element' || isRoot);
  const covered = isWhole ? ['the whole document'] : parts.map(({ path }) => path);
  const missing = isWhole
    ? []
    : covers.length > 0
      ? covers.filter((asked) => !parts.some(({ path }) => isAt(path, asked)))
      : ['the rest of the document'];
  const coverage = { isComplete: missing.length === 0, covered, missing };
  return { coverage, results: resultsOf(coverage.isComplete ? [] : [incomplete(coverage)]) };
}

// Content inside a signature is the document's only where the signature is the document.
const isContent = ({ kind }: Coverage, { path }: XadesSignatureReport): boolean =>
  kind === 'document' || kind === 'element' || (kind === 'own-part' && !path.slice(1).includes('/'));

/** An element by its whole path, or by its name alone. */
const isAt = (path: string, asked: string): boolean =>
  path === asked || nameIn(path) === asked.replace(/^\/\//, '');

const nameIn = (path: string): string | undefined =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\[\d+\]$/, '')
    .replace(/^.*:/, '');

const incomplete = ({ covered, missing }: FileCoverage) =>
  failed(
    'XmlDSigCoreValidationFailed',
    covered.length === 0
      ? 'Nothing of the document is covered by its signatures.'
      : `Only ${covered.join(', ')} is signed, and not ${missing.join(', ')}. Say with --covers ELEMENT which element must be.`,
  );
