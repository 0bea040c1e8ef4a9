import { createHash } from 'node:crypto';
import { chargeMemory, chargeTime, withScratchMemory } from '../../../../bounds/budget.ts';
import { MEMBER_BYTES, MEMBER_UNITS } from '../../pdf/budget.ts';
import { arrayOf, dictOf, type Pdf } from '../../pdf/document.ts';
import { isRef, type PdfDict, type PdfValue, print } from '../../pdf/values.ts';
import { type Change, modification } from '../changes.ts';
import { contentsOfItem } from '../security-store.ts';
import { isSameLocation, keysOf } from './values.ts';

const KINDS = [
  { inStore: 'Certs', inSignature: 'Cert', one: 'certificate', many: 'certificates' },
  { inStore: 'CRLs', inSignature: 'CRL', one: 'CRL', many: 'CRLs' },
  { inStore: 'OCSPs', inSignature: 'OCSP', one: 'OCSP response', many: 'OCSP responses' },
] as const;

/**
 * Compares the document security stores of both states by their content (ETSI EN 319 142-1, 5.4.2). Readers display
 * nothing of a store. Added data is its purpose; removed data takes evidence away from earlier signatures, and is
 * reported.
 */
export function compareStores(
  before: Pdf,
  after: Pdf,
  one: PdfValue | undefined,
  other: PdfValue | undefined,
  mayRemove: boolean,
): Change[] {
  const [old, now] = [dictOf(before, one) ?? new Map(), dictOf(after, other) ?? new Map()];
  const removed: string[] = [];
  let isAdded = false;
  for (const { inStore, one: singular, many } of KINDS) {
    const items = withScratchMemory(before.budget, () =>
      compareItems(before, after, old.get(inStore), now.get(inStore)),
    );
    if (items.removed) removed.push(`${items.removed} ${items.removed === 1 ? singular : many}`);
    if (items.added) isAdded = true;
  }
  const signatures = compareSignatures(before, after, old, now);
  if (signatures.removed)
    removed.push(`what ${signatures.removed === 1 ? 'a signature is' : 'signatures are'} judged by (VRI)`);
  const what = `Data to validate the signatures was removed or replaced: ${removed.join(', ')}.`;
  return [
    ...(removed.length ? [mayRemove ? allowedChange(what) : modification(what)] : []),
    ...(isAdded || signatures.added ? [allowedChange('Data to validate the signatures was added.')] : []),
  ];
}

const allowedChange = (what: string): Change => ({ kind: 'validation-data', allowed: true, what });

type Difference = { readonly removed: number; readonly added: number };

// Counts the items that only one of the lists has. Items are equal by their bytes, whatever their object numbers.
function compareItems(
  before: Pdf,
  after: Pdf,
  one: PdfValue | undefined,
  other: PdfValue | undefined,
): Difference {
  const [items, nowItems] = [arrayOf(before, one), arrayOf(after, other)];
  const count = items.length + nowItems.length;
  chargeTime(before.budget, 4 * MEMBER_UNITS * count);
  chargeMemory(before.budget, 2 * MEMBER_BYTES * count);
  const isUnchanged = (value: PdfValue): boolean => isRef(value) && isSameLocation(before, after, value.id);
  const unchanged = new Set(items.filter(isUnchanged).map(print));
  const left = nowItems.filter((value) => !unchanged.has(print(value)));
  const nowKept = new Set(nowItems.map(print));
  const missing = items.filter((value) => !isUnchanged(value) || !nowKept.has(print(value)));
  const [old, now] = [digestsOf(before, missing), digestsOf(after, left)];
  return {
    removed: [...old].filter((item) => !now.has(item)).length,
    added: [...now].filter((item) => !old.has(item)).length,
  };
}

const digestsOf = (pdf: Pdf, values: readonly PdfValue[]): Set<string> =>
  new Set(
    values.map((value) => {
      chargeMemory(pdf.budget, MEMBER_BYTES);
      return withScratchMemory(pdf.budget, () => {
        const [content] = contentsOfItem(pdf, value);
        return content ? createHash('sha256').update(content).digest('base64') : print(value);
      });
    }),
  );

// The lists of each signature (/VRI).
function compareSignatures(before: Pdf, after: Pdf, old: PdfDict, now: PdfDict): Difference {
  const [one, other] = [
    dictOf(before, old.get('VRI')) ?? new Map(),
    dictOf(after, now.get('VRI')) ?? new Map(),
  ];
  let [removed, added] = [0, 0];
  for (const key of keysOf(one, other)) {
    const [entry, nowEntry] = [dictOf(before, one.get(key)), dictOf(after, other.get(key))];
    const differences = KINDS.map(({ inSignature }) =>
      withScratchMemory(before.budget, () =>
        compareItems(before, after, entry?.get(inSignature), nowEntry?.get(inSignature)),
      ),
    );
    if ((entry && !nowEntry) || differences.some((difference) => difference.removed)) removed++;
    if ((nowEntry && !entry) || differences.some((difference) => difference.added)) added++;
  }
  return { removed, added };
}
