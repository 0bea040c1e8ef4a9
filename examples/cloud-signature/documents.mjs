import { randomUUID } from 'node:crypto';

// In memory, because it is an example: documents beyond the number or the time are dropped, as after a restart.
const MAX_KEPT = 100;
const KEPT_MS = 30 * 60_000;

/** The PDFs that are being signed, each of one visitor. */
export function openDocuments(now = Date.now) {
  const documents = new Map();

  return {
    keep(visitor, name, pdf) {
      const document = { id: randomUUID(), visitor, name, pdf, keptAtMs: now(), state: 'waiting' };
      documents.set(document.id, document);
      for (const [id, { keptAtMs }] of documents)
        if (documents.size > MAX_KEPT || keptAtMs < now() - KEPT_MS) documents.delete(id);
      return document;
    },

    /** The visitor's own document, or undefined: an id from a link does not open another visitor's. */
    find(visitor, id) {
      const document = documents.get(id);
      return visitor && document?.visitor === visitor ? document : undefined;
    },
  };
}
