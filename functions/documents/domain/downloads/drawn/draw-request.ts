import type { PdfValues } from '../../document/document.ts';
import type { Mark } from '../../flow/flow.ts';

/** The state of an entry, of a document or of a mark. Each has its color. */
export type Tone = 'done' | 'waiting' | 'later' | 'ended';

/** One person's part in a flow, as a manifest shows it. */
export type ManifestEntry = {
  readonly tone: Tone;
  readonly label: string;
  readonly name: string;
  readonly date: string | null;
  readonly facts: readonly string[];
};

/** The contents of a manifest. In Portuguese, because people and courts in Brazil read it. */
export type Manifest = {
  readonly name: string;
  readonly status: { readonly text: string; readonly tone: Tone };
  readonly facts: readonly { readonly label: string; readonly value: string; readonly isCode?: boolean }[];
  /** The files of an envelope; none of any other document. */
  readonly parts: readonly { readonly name: string; readonly pages: string; readonly sha256: string }[];
  readonly entries: readonly ManifestEntry[];
  /** Where the document is verified: the code for people, and the address for cameras. */
  readonly verification: { readonly code: string; readonly page: string; readonly url: string };
  /** Why the pages of the document are missing beside it; null where they are not. */
  readonly note: string | null;
  readonly closing: string;
};

/** The mark of one signature or approval. */
export type DrawnMark = {
  readonly title: string;
  readonly name: string;
  readonly detail: string;
  readonly place: Mark | null;
  /** The image of the signature, PNG or JPEG. */
  readonly image?: Uint8Array | undefined;
  /** One of several of a person: left out where its place is on no page. */
  readonly isExtra?: boolean;
};

/** PDFs in local files that become one, in another local file. Values are written into the parts that have the fields. */
export type MergeRequest = PdfValues & {
  readonly title: string;
  readonly atMs: number;
  readonly parts: readonly { readonly path: string; readonly name: string }[];
  readonly target: string;
  /** Of all parts together. */
  readonly bytes: number;
};

/** A drawing as plain data, which can be sent to another thread. */
export type DrawRequest = { readonly title: string; readonly atMs: number } & (
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | ({ readonly kind: 'merged' } & MergeRequest)
  | { readonly kind: 'fields'; readonly original: Uint8Array }
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'filled'; readonly original: Uint8Array } & PdfValues)
  | { readonly kind: 'marked'; readonly original: Uint8Array; readonly marks: readonly DrawnMark[] }
  | {
      /** What is sealed: the pages as they are, with marks, and the manifest after them. Not of a signed file. */
      readonly kind: 'final';
      readonly original: Uint8Array;
      readonly marks: readonly DrawnMark[];
      readonly manifest: Manifest;
    }
  | {
      readonly kind: 'printable';
      readonly original: Uint8Array;
      readonly marks: readonly DrawnMark[];
      readonly manifest: Manifest;
      readonly footer: readonly string[];
    }
);

/** Why nothing was drawn: the original is encrypted, broken or must stay as it was signed, or the drawing timed out. */
export type NotDrawn = 'encrypted' | 'broken' | 'signed' | 'too-long';
/** Why values were not written: the file is signed, or one of its fields does not take its value. */
export type NotFilled = { readonly reason: 'signed' | 'field'; readonly explanation: string };
/** Why a part, from 0, cannot be one of several in a file. */
export type NotMerged = {
  readonly part: number;
  readonly reason: 'encrypted' | 'broken' | 'signed' | 'with-files' | 'dynamic' | 'too-long';
};
/** How many pages each part has. */
export type Merged = { readonly pages: readonly number[] };
export type Drawing =
  | { readonly bytes: Uint8Array }
  | { readonly merged: Merged }
  | { readonly fields: readonly string[] }
  | { readonly notMerged: NotMerged }
  | { readonly notDrawn: NotDrawn }
  | { readonly notFilled: NotFilled };
