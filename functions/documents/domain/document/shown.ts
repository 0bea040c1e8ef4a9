import type { Document } from './document.ts';

/**
 * Names the document as a page shows it: the version of the file, the signatures in it, and the edits of its flow. Two pages
 * of the same name show the same bytes, marks and participants; who has acted meanwhile may differ.
 */
export const shownOf = ({
  round,
  signed,
  flowEdits = [],
}: Pick<Document, 'round' | 'signed' | 'flowEdits'>): string =>
  [round, signed?.revision ?? 0, flowEdits.length].join('.');
