import { randomUUID } from 'node:crypto';

// In memory, because it is an example: documents beyond the number or the time are dropped, as after a restart.
const MAX_KEPT = 100;
const KEPT_MS = 30 * 60_000;

/** A PDF on its way to its signature, of one visitor. */
export type Document = {
  readonly id: string;
  readonly visitor: string;
  readonly name: string;
  readonly pdf: Buffer;
  readonly keptAtMs: number;
  state: 'waiting' | 'signing' | 'failed' | 'signed';
  signed?: Buffer;
  signer?: string;
};

/** The PDFs that are being signed. */
export function openDocuments(now = Date.now) {
  const documents = new Map<string, Document>();

  return {
    keep(visitor: string, name: string, pdf: Buffer): Document {
      const document: Document = {
        ...{ id: randomUUID(), visitor, name, pdf },
        ...{ keptAtMs: now(), state: 'waiting' },
      };
      documents.set(document.id, document);
      for (const [id, { keptAtMs }] of documents)
        if (documents.size > MAX_KEPT || keptAtMs < now() - KEPT_MS) documents.delete(id);
      return document;
    },

    /** The visitor's own document, or undefined: an id from a link does not open another visitor's. */
    find(visitor: string, id = ''): Document | undefined {
      const document = documents.get(id);
      return document?.visitor === visitor ? document : undefined;
    },
  };
}
