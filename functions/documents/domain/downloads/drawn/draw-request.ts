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
  /** One of several of a person: left out where its place is on no page. */
  readonly isExtra?: boolean;
};

/** A drawing as plain data, which can be sent to another thread. */
export type DrawRequest = { readonly title: string; readonly atMs: number } & (
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | ({ readonly kind: 'filled'; readonly original: Uint8Array } & PdfValues)
  | { readonly kind: 'marked'; readonly original: Uint8Array; readonly marks: readonly DrawnMark[] }
  | {
      readonly kind: 'printable';
      readonly original: Uint8Array;
      readonly marks: readonly DrawnMark[];
      readonly manifest: Manifest;
      readonly footer: readonly string[];
    }
);

/** Why nothing was drawn: the original is encrypted or broken, or the drawing timed out. */
export type NotDrawn = 'encrypted' | 'broken' | 'too-long';
/** Why values were not written: the file is signed, or one of its fields does not take its value. */
export type NotFilled = { readonly reason: 'signed' | 'field'; readonly explanation: string };
export type Drawing =
  | { readonly bytes: Uint8Array }
  | { readonly notDrawn: NotDrawn }
  | { readonly notFilled: NotFilled };
