import { chargeList, chargeTime, releaseList, withScratchMemory } from '../../../../bounds/budget.ts';
import { BULK_BYTE_UNITS, PAIR_BYTES, UNLIKE_BYTES } from '../../pdf/budget.ts';
import { eachRefOf, generationOf, locate, objectOf, type Pdf } from '../../pdf/document.ts';
import { createNumberSet } from '../../pdf/number-set.ts';
import { stringBytes } from '../../pdf/text.ts';
import {
  isArray,
  isDict,
  isRef,
  isStream,
  isString,
  nameOf,
  numberOf,
  type PdfObject,
  type PdfRef,
  type PdfValue,
  ref,
  sameRef,
} from '../../pdf/values.ts';
import type { Entry } from '../../pdf/xref.ts';
import { isTooComplex, PdfRefused } from '../../refused.ts';
import { type Change, modification } from '../changes.ts';

/** The part of the document that is compared. It makes a change of each difference. */
export type Area = { readonly label: string; readonly differs: (what: string) => Change };

/** Where nothing may change. */
export const strictArea = (label: string): Area => ({ label, differs: modification });

type Pair = {
  readonly before: PdfRef;
  readonly after: PdfRef;
  readonly area: Area;
  /** Whether it is compared although it is exempt. */
  readonly isForced: boolean;
};

/** Compares every object that a signed document and a later state of it reach, each pair once. */
export type Comparer = {
  readonly values: (
    before: PdfValue | undefined,
    after: PdfValue | undefined,
    area: Area,
    key?: string | null,
  ) => void;
  /** Exempts an object with rules of its own, except where something is drawn from it. */
  readonly exempt: (ref: PdfRef) => void;
  /** Follows every reference met so far. Objects reached in one run are not judged again in the next. */
  readonly run: () => void;
};

// Keys of dictionaries that content is drawn from by any name (ISO 32000-1, 7.8.3, 9.6.5, 12.5.5 and 8.6.6.5), and the
// empty key of an object that is only a reference.
const DRAWN_FROM = new Set([
  ...['XObject', 'Font', 'ExtGState', 'ColorSpace', 'Pattern', 'Shading', 'Properties', 'CharProcs'],
  ...['Resources', 'Colorants', 'N', 'R', 'D', ''],
  ...['Group', 'MK', 'BE'], // they have /I, which a field may change
]);

// Shadow attack (replace): a page has the catalog, the form or a field as its resources, and draws an entry that may
// change there as metadata or as a value. Honest writers never escape these keys, so an escaped key counts as one.
const isDrawnFrom = (key: string | null | undefined): boolean =>
  typeof key === 'string' && (DRAWN_FROM.has(key) || key.includes('#'));

export function createComparer(before: Pdf, after: Pdf, report: (change: Change) => void): Comparer {
  const queue: Pair[] = [];
  const seen = createNumberSet(before.budget);
  const seenUnlike = new Set<string>();
  const exempted = createNumberSet(before.budget);

  const isNew = (old: PdfRef, now: PdfRef): boolean => {
    if (sameRef(old, now) && old.generation === 0) {
      if (seen.has(old.id)) return false;
      seen.add(old.id);
      return true;
    }
    const key = `${old.id} ${old.generation} ${now.id} ${now.generation}`;
    if (seenUnlike.has(key)) return false;
    chargeList(before.budget, UNLIKE_BYTES);
    seenUnlike.add(key);
    return true;
  };

  const values: Comparer['values'] = (old, now, area, key): void => {
    if (isRef(old) && isRef(now)) {
      const isForced = isDrawnFrom(key);
      if (sameRef(old, now) && exempted.has(old.id) && !isForced) return;
      if (!isNew(old, now)) return;
      chargeList(before.budget, PAIR_BYTES);
      queue.push({ before: old, after: now, area, isForced });
    } else compareObjects(resolveShown(before, old), resolveShown(after, now), area);
  };

  const compareObjects = (old: PdfObject, now: PdfObject, area: Area, id?: number): void => {
    const differs = (): void =>
      report(area.differs(id === undefined ? area.label : `${area.label} (object ${id})`));
    if (old === now) follow(old, area);
    // Shadow attack (replace): an object may be only a reference to another, which is then shown.
    else if (isRef(old) && isRef(now)) values(old, now, area, '');
    else if (isRef(old) || isRef(now))
      compareObjects(resolveShown(before, old), resolveShown(after, now), area, id);
    else if (isStream(old) && isStream(now)) {
      if (old.raw !== now.raw) chargeTime(before.budget, BULK_BYTE_UNITS * old.raw.length);
      if (old.raw !== now.raw && !old.raw.equals(now.raw)) differs();
      compareDicts(old.dict, now.dict, area);
    } else if (isDict(old) && isDict(now)) compareDicts(old, now, area);
    else if (isArray(old) && isArray(now)) {
      if (old.length !== now.length) differs();
      else for (const [at, value] of old.entries()) values(value, now[at], area);
    } else if (!isSameScalar(old, now)) differs();
  };

  // Equal values can differ only in the objects that they refer to.
  const follow = (value: PdfObject, area: Area, key: string | null = ''): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isDict(value)) for (const [name, each] of value) follow(each, area, name);
    else if (isArray(value)) for (const each of value) follow(each, area, null);
    else if (isRef(value)) values(value, value, area, key);
    else if (isStream(value)) follow(value.dict, area);
  };

  const compareDicts = (
    old: ReadonlyMap<string, PdfValue>,
    now: ReadonlyMap<string, PdfValue>,
    area: Area,
  ): void => {
    for (const key of keysOf(old, now)) values(old.get(key), now.get(key), area, key);
  };

  const comparePair = ({ before: old, after: now, area, isForced }: Pair): void => {
    if (sameRef(old, now) && exempted.has(old.id) && !isForced) return;
    const location = sameRef(old, now) ? locateInBoth(before, after, old.id) : undefined;
    const isUntouched = location !== undefined;
    try {
      if (isUntouched) {
        followStream(location);
        eachRefOf(before, old.id, (id, generation, key) => {
          const ref: PdfRef = { kind: 'ref', id, generation };
          values(ref, ref, area, key);
        });
        return;
      }
      if (hasRightGeneration(before, old) !== hasRightGeneration(after, now))
        report(area.differs(area.label));
      compareObjects(shownObject(before, old), shownObject(after, now), area, old.id);
    } catch (error) {
      if (!(error instanceof PdfRefused) || isTooComplex(error)) throw error;
      // An unreadable object that is untouched was signed so.
      if (!isUntouched) report(area.differs(`${area.label} (object ${old.id}, unreadable)`));
    }
  };

  // Shadow attack (replace): the /Length or /First of an object stream may be another object. When that changes, the
  // stream has other objects, although its own bytes are the same. Nothing refers to the stream itself.
  const followStream = (location: Entry | undefined): void => {
    if (location?.type !== 'compressed') return;
    const stream = ref(location.stream);
    values(stream, stream, OBJECT_STREAM);
  };

  const run = (): void => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const found = next;
      releaseList(before.budget, PAIR_BYTES);
      withScratchMemory(before.budget, () => comparePair(found));
    }
  };

  const exempt = ({ id }: PdfRef): void => {
    exempted.add(id);
    followStream(locateInBoth(before, after, id));
  };

  return { values, exempt, run };
}

const OBJECT_STREAM: Area = { label: 'An object stream was changed.', differs: modification };

// Shadow attack (replace): for a reference with a wrong generation some readers show nothing, others the object of any
// generation. The object of any generation is compared; for the first kind, the reference must be right in both states
// or in neither.
const shownObject = (pdf: Pdf, { id }: PdfRef): PdfObject => objectOf(pdf, ref(id, generationOf(pdf, id)));

const hasRightGeneration = (pdf: Pdf, { id, generation }: PdfRef): boolean =>
  generation === (generationOf(pdf, id) ?? 0);

const MAX_STEPS = 8; // as in `resolve`

function resolveShown(pdf: Pdf, value: PdfObject | undefined): PdfObject {
  let found: PdfObject = value ?? null;
  for (let step = 0; isRef(found) && step < MAX_STEPS; step++) found = shownObject(pdf, found);
  return isRef(found) ? null : found;
}

export const keysOf = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): Set<string> =>
  new Set([...one.keys(), ...other.keys()]);

/** Whether two values are equal; references by their number and generation. */
export function isSame(one: PdfValue | undefined, other: PdfValue | undefined): boolean {
  if (isRef(one) && isRef(other)) return sameRef(one, other);
  if (isArray(one) && isArray(other))
    return one.length === other.length && one.every((value, at) => isSame(value, other[at]));
  if (isDict(one) && isDict(other))
    return [...keysOf(one, other)].every((key) => isSame(one.get(key), other.get(key)));
  return isSameScalar(one ?? null, other ?? null);
}

function isSameScalar(one: PdfObject, other: PdfObject): boolean {
  if (one === other) return true;
  if (isString(one) && isString(other)) return stringBytes(one).equals(stringBytes(other));
  const [name, number] = [nameOf(one), numberOf(one)];
  if (name !== undefined) return name === nameOf(other);
  return number !== undefined && number === numberOf(other);
}

/** Whether an object has the same bytes in both. It can then differ only in objects that it, or its object stream, refers to. */
export const isSameLocation = (before: Pdf, after: Pdf, id: number): boolean =>
  locateInBoth(before, after, id) !== undefined;

function locateInBoth(before: Pdf, after: Pdf, id: number): Entry | undefined {
  const [old, now] = [locate(before, id), locate(after, id)];
  if (old?.type === 'uncompressed' && now?.type === 'uncompressed')
    return isSameOffset(old, now, before, after) ? old : undefined;
  if (old?.type !== 'compressed' || now?.type !== 'compressed') return undefined;
  // No object stream is inside another: one inside itself would be searched for without end.
  const [stream, nowStream] = [locate(before, old.stream), locate(after, now.stream)];
  if (stream?.type !== 'uncompressed' || nowStream?.type !== 'uncompressed') return undefined;
  const isSameStream = old.stream === now.stream && isSameOffset(stream, nowStream, before, after);
  return isSameStream && old.index === now.index ? old : undefined;
}

type UncompressedEntry = Extract<Entry, { type: 'uncompressed' }>;

const isSameOffset = (old: UncompressedEntry, now: UncompressedEntry, before: Pdf, after: Pdf): boolean =>
  old.offset === now.offset && old.generation === now.generation && before.base === after.base;
