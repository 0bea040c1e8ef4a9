import type { CoveredPart } from './report-parts.ts';

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

/** A part in a sentence. @example coveredText(part('file')) // 'the whole file' */
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
