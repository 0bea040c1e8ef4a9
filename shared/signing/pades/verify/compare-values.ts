import { locate, objectOf, type Pdf, resolved } from '../pdf/document.ts';
import { stringBytes } from '../pdf/text.ts';
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
  sameRef,
} from '../pdf/values.ts';
import { PdfRefused } from '../refused.ts';
import type { Change } from './changes.ts';

/** What is being compared: differences are told with this, and judged by it. */
export type Area = { readonly label: string; readonly differs: (what: string) => Change };

type Pair = { readonly before: PdfRef; readonly after: PdfRef; readonly area: Area };

/** Compares everything that a signed document and a later state of it reach, each pair of objects once. */
export type Comparer = {
  readonly values: (before: PdfValue | undefined, after: PdfValue | undefined, area: Area) => void;
  /** These objects are compared by rules of their own, wherever they are met. */
  readonly exempt: (ref: PdfRef) => void;
  /** Follows every reference met so far. What is reached in one run is not judged again in the next. */
  readonly run: () => void;
};

export function createComparer(before: Pdf, after: Pdf, tell: (change: Change) => void): Comparer {
  const queue: Pair[] = [];
  const seen = new Set<string>();
  const exempted = new Set<number>();

  const values = (old: PdfValue | undefined, now: PdfValue | undefined, area: Area): void => {
    if (isRef(old) && isRef(now)) {
      if (sameRef(old, now) && exempted.has(old.id)) return;
      const key = `${old.id} ${old.generation} ${now.id} ${now.generation}`;
      if (seen.has(key)) return;
      seen.add(key);
      queue.push({ before: old, after: now, area });
    } else if (isRef(old) || isRef(now)) objects(resolved(before, old), resolved(after, now), area);
    else objects(old ?? null, now ?? null, area);
  };

  const objects = (old: PdfObject, now: PdfObject, area: Area, id?: number): void => {
    const differs = (): void =>
      tell(area.differs(id === undefined ? area.label : `${area.label} (object ${id})`));
    if (isStream(old) && isStream(now)) {
      if (old.raw !== now.raw && !old.raw.equals(now.raw)) differs();
      dicts(old.dict, now.dict, area);
    } else if (isDict(old) && isDict(now)) dicts(old, now, area);
    else if (isArray(old) && isArray(now)) {
      if (old.length !== now.length) differs();
      else for (const [at, value] of old.entries()) values(value, now[at], area);
    } else if (!isSameScalar(old, now)) differs();
  };

  const dicts = (
    old: ReadonlyMap<string, PdfValue>,
    now: ReadonlyMap<string, PdfValue>,
    area: Area,
  ): void => {
    for (const key of keysOf(old, now)) values(old.get(key), now.get(key), area);
  };

  const pair = ({ before: old, after: now, area }: Pair): void => {
    if (sameRef(old, now) && exempted.has(old.id)) return;
    const isUntouched = sameRef(old, now) && isSamePlace(before, after, old.id);
    try {
      const object = objectOf(before, old);
      objects(object, isUntouched ? object : objectOf(after, now), area, old.id);
    } catch (error) {
      if (!(error instanceof PdfRefused)) throw error;
      // Unreadable and untouched: it was signed so.
      if (!isUntouched) tell(area.differs(`${area.label} (object ${old.id}, unreadable)`));
    }
  };

  const run = (): void => {
    for (let next = queue.pop(); next; next = queue.pop()) pair(next);
  };

  return { values, exempt: ({ id }) => exempted.add(id), run };
}

export const keysOf = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): Set<string> =>
  new Set([...one.keys(), ...other.keys()]);

/** Equal as written, references by the object that they name. */
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

// The same bytes of the file: an object there can differ only in what it refers to.
function isSamePlace(before: Pdf, after: Pdf, id: number): boolean {
  const [old, now] = [locate(before, id), locate(after, id)];
  if (old?.type === 'plain' && now?.type === 'plain')
    return old.offset === now.offset && old.generation === now.generation && before.base === after.base;
  if (old?.type !== 'packed' || now?.type !== 'packed') return false;
  return old.stream === now.stream && old.index === now.index && isSamePlace(before, after, old.stream);
}
