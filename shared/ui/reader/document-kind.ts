/** How a document is shown, by its media type. */
export type DocumentKind = 'pdf' | 'xml' | 'text' | 'other';

export function documentKind(mimeType: string): DocumentKind {
  const [type = ''] = mimeType.toLowerCase().split(';');
  if (type.trim() === 'application/pdf') return 'pdf';
  if (/^(?:application|text)\/(?:[\w.-]+\+)?xml$/.test(type.trim())) return 'xml';
  return type.startsWith('text/') || type.trim() === 'application/json' ? 'text' : 'other';
}

export type MarkKind = 'signature' | 'approval';

/** A place on a page of a PDF, in points from the lower left corner of the page as it is shown. */
export type ReaderMark = {
  /** From the upper left corner, not from the lower left one. */
  readonly isFromTop?: boolean;
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: string;
  /** What the reader of the page does there; null where somebody else does. */
  readonly yours: MarkKind | null;
};
