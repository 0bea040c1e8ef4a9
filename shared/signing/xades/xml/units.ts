/** What stands in a document or in a part of it: sums over all its elements. */
export type Totals = {
  readonly bytes: number;
  /** Outside ASCII: they are read and written one by one. */
  readonly slowBytes: number;
  /** To characters and entities. */
  readonly references: number;
  readonly elements: number;
  readonly attributes: number;
  readonly attributesSquared: number;
  readonly namespaces: number;
  /** How many elements stand around each, and how many namespaces are in scope. */
  readonly levels: number;
  readonly scope: number;
  readonly scopeSquared: number;
  /** Texts, comments, processing instructions. */
  readonly asides: number;
};

type Weights = Partial<Totals>;

// What each costs, as measured alone over 100,000 of its kind: one unit is a nanosecond.
const READ: Weights = {
  bytes: 5,
  slowBytes: 24,
  references: 200,
  elements: 300,
  attributes: 350,
  namespaces: 700,
  asides: 200,
};

// Attributes are sorted by insertion, and every namespace in scope is looked up for every element: both are quadratic.
// Looking up climbs to the root.
const WRITE: Weights = {
  bytes: 7,
  slowBytes: 7,
  elements: 400,
  attributes: 350,
  attributesSquared: 6,
  namespaces: 450,
  levels: 5,
  scope: 40,
  scopeSquared: 11,
  asides: 120,
};

// A prefix that an exclusive canonical form names is looked up for every element.
const PREFIX: Weights = { elements: 30, levels: 5, scope: 5 };

// Writing one element inside a tree asks of every node whether it belongs to that one.
const IN_PLACE: Weights = { elements: 80, levels: 30, attributes: 60, namespaces: 60, asides: 60 };

const MOVE: Weights = { elements: 80, attributes: 80, asides: 40 };
const REBIND: Weights = { ...MOVE, elements: 2500 };

const SEARCH: Weights = { elements: 40, attributes: 40, asides: 40 };

/** A byte of canonical form, and one that is hashed. */
export const WRITTEN_BYTE_UNITS = 7;
export const HASHED_BYTE_UNITS = 2.5;

const sum = (weights: Weights, totals: Totals): number =>
  (Object.keys(weights) as (keyof Totals)[]).reduce(
    (units, what) => units + (weights[what] ?? 0) * totals[what],
    0,
  );

/** Reading a document into a tree, and freeing it. */
export const readUnits = (totals: Totals): number => sum(READ, totals);

/** Writing in canonical form, with so many prefixes to look up. */
export const writeUnits = (totals: Totals, prefixes: number): number =>
  sum(WRITE, totals) + prefixes * sum(PREFIX, totals);

/** The same for one element of a tree, in its place. */
export const writeInPlaceUnits = (totals: Totals, prefixes: number): number =>
  writeUnits(totals, prefixes) + sum(IN_PLACE, totals);

/** Moving a part into a document of its own; where namespaces are taken over, each of its elements is bound anew. */
export const moveUnits = (part: Totals, { rebinds }: { readonly rebinds: boolean }): number =>
  sum(rebinds ? REBIND : MOVE, part);

/** One search over all nodes. */
export const searchUnits = (totals: Totals): number => sum(SEARCH, totals);
