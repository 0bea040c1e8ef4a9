import type { Outcome, Reason, ReportVerdict } from './reasons.ts';

/** The conclusion on a signature or a file: outcome for people, verdict and reasons of EN 319 102-1. */
export type Conclusion = {
  readonly outcome: Outcome;
  readonly verdict: ReportVerdict;
  readonly reasons: readonly Reason[];
};

/** The kinds of parts that a signature covers. */
export const COVERED_KINDS = [
  'file',
  'revision',
  'content',
  'document',
  'element',
  'signature',
  'nothing',
] as const;
export type CoveredPart = {
  /** 'revision' is a PDF as it was when it was signed; 'content' is the content of a CMS signature. */
  readonly kind: (typeof COVERED_KINDS)[number];
  /** The path of an XML element or signature; for detached content, the name of its file. */
  readonly path: string | null;
  /** The length of a revision, from the beginning of the file. */
  readonly bytes: number | null;
  /** Whether the path is the root of the document. */
  readonly isRoot: boolean;
  /** Whether the signatures inside it are excluded: each may hold anything. */
  readonly withoutSignatures: boolean;
  /** XML comments inside, which no signature covers. */
  readonly comments: number;
};

/** Coverage of the required parts: the whole file, unless elements were named. */
export type FileCoverage = {
  readonly isComplete: boolean;
  readonly covered: readonly string[];
  readonly missing: readonly string[];
};

/**
 * 'verified': the chain ends at a trusted root of ICP-Brasil. 'claimed': the certificate has ICP-Brasil's fields or
 * policies, and no such chain. 'no': neither.
 */
export const ICP_BRASIL_STANDINGS = ['verified', 'claimed', 'no'] as const;
export type IcpBrasilStanding = (typeof ICP_BRASIL_STANDINGS)[number];

/** @example part('revision', { bytes: 20_000 }) */
export const createPart = (
  kind: CoveredPart['kind'],
  more: Partial<Omit<CoveredPart, 'kind'>> = {},
): CoveredPart => ({
  kind,
  path: null,
  bytes: null,
  isRoot: false,
  withoutSignatures: false,
  comments: 0,
  ...more,
});

/** Describes a part for a sentence. @example coveredText(part('file')) // 'the whole file' */
export function coveredText({ kind, path, bytes, ...more }: CoveredPart): string {
  const texts: Readonly<Record<CoveredPart['kind'], string>> = {
    file: 'the whole file',
    revision: `the file as it was then, its first ${bytes} bytes`,
    content: path ?? 'the content inside it',
    document: 'the whole document',
    element: `the element ${path}${more.isRoot ? ', the root' : ''}`,
    signature: `the signature ${path}`,
    nothing: 'nothing that could be confirmed',
  };
  return [
    texts[kind],
    ...(more.withoutSignatures ? ['without any signature that stands in it'] : []),
    ...(more.comments > 0 ? [`without its ${more.comments} comments`] : []),
  ].join(', ');
}
