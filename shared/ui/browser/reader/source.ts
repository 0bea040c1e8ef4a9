import type { DocumentKind, ReaderMark } from '../../reader/document-kind.ts';

/** A document to show, and where its content is. */
export type Source = {
  readonly kind: DocumentKind;
  readonly content: Content;
  readonly bytes: number;
  readonly tools: PdfTools;
  readonly marks?: readonly ReaderMark[];
  /** Called with the pages of a PDF, for what is placed on them. */
  readonly onPages?: (pages: ShownPages) => void;
  /** A link to the file, for the bar above it. */
  readonly download?: { readonly address: string; readonly name: string };
};

/** The size of a page as it is shown, in points. */
export type PageSize = { readonly width: number; readonly height: number };

/** The pages of a PDF that is shown, by number from 1. */
export type ShownPages = {
  readonly count: number;
  readonly current: () => number;
  readonly show: (page: number) => void;
  /** What the page is drawn in. It stays, whether the page is drawn or not. */
  readonly boxOf: (page: number) => HTMLElement | undefined;
  readonly sizeOf: (page: number) => Promise<PageSize>;
};

/** At an address of this host, or a file that the person chose. */
export type Content =
  | { readonly address: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly file: Blob };

/** The addresses of the parts of pdf.js, which are loaded when a PDF needs them. */
export type PdfTools = { readonly worker: string; readonly decoder: string };

/** A document cannot be shown. The message says why to the person. */
export class NotShown extends Error {
  override readonly name = 'NotShown';
}

/** The addresses that the server wrote into an element of the page. */
export const pdfToolsOf = ({ worker = '', decoder = '' }: DOMStringMap): PdfTools => ({ worker, decoder });

/** The whole content. */
export async function readContent(content: Content): Promise<ArrayBuffer> {
  if ('file' in content) return content.file.arrayBuffer();
  const response = await fetch(new URL(content.address, location.href), { headers: content.headers ?? {} });
  if (!response.ok) throw new Error(`The content was answered ${response.status}.`);
  return response.arrayBuffer();
}
