import {
  type BatchWrite,
  type Command,
  INDEXES,
  type Key,
  type Range,
  type Walk,
  type Write,
} from './commands.ts';
import { attributesIn, holds, isRefused } from './conditions.ts';
import { Misfit, shown, updated } from './updates.ts';
import { orderOf, type Plain, type PlainItem, typeOf } from './values.ts';

type Reason = { readonly code: string; readonly item?: PlainItem };
/** An answer, or an error by its name. */
export type Outcome =
  | { readonly answer: unknown }
  | { readonly error: string; readonly item?: PlainItem; readonly reasons?: readonly Reason[] };

export type Page = {
  readonly items?: readonly PlainItem[];
  readonly count: number;
  readonly scanned: number;
};

class Refused extends Error {
  readonly item: PlainItem | undefined;
  constructor(name: string, item?: PlainItem) {
    super(name);
    this.name = name;
    this.item = item;
  }
}

const INVALID = 'ValidationException';
const CODES: Record<string, string> = {
  [INVALID]: 'ValidationError',
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
};

export type Model = ReturnType<typeof newModel>;

/** A table as a map of items. */
export function newModel() {
  const items = new Map<string, PlainItem>();
  const idOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);
  const find = (key: Key): PlainItem | undefined => items.get(idOf(key));
  const store = (key: Key, after: PlainItem | undefined): void => {
    if (after) items.set(idOf(key), after);
    else items.delete(idOf(key));
  };

  const canceled = (outcomes: readonly (PlainItem | undefined | Refused)[]): Outcome => ({
    error: 'TransactionCanceledException',
    reasons: outcomes.map((each) =>
      each instanceof Refused
        ? { code: String(CODES[each.name]), ...(each.item && { item: each.item }) }
        : { code: 'None' },
    ),
  });

  const attempt = <T>(work: () => T): T | Refused => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
  };

  function transact(writes: readonly Write[], held: ReadonlySet<string>): Outcome {
    const drafts = writes.map((write) => attempt(() => checkPut(write)));
    if (drafts.some((each) => each instanceof Refused)) return canceled(drafts);
    if (new Set(writes.map(({ key }) => idOf(key))).size < writes.length) return { error: INVALID };
    if (writes.some(({ key }) => held.has(idOf(key))))
      return conflict(
        writes.map(({ key }) => key),
        held,
      );
    const results = writes.map((write) => attempt(() => afterOf(write, find(write.key))));
    if (results.some((each) => each instanceof Refused)) return canceled(results);
    writes.forEach((write, index) => {
      store(write.key, results[index] as PlainItem | undefined);
    });
    return { answer: {} };
  }

  const conflict = (keys: readonly Key[], held: ReadonlySet<string>): Outcome => ({
    error: 'TransactionCanceledException',
    reasons: keys.map((key) => ({ code: held.has(idOf(key)) ? 'TransactionConflict' : 'None' })),
  });

  function writeOne(write: Write, returns: string, held: ReadonlySet<string>): Outcome {
    const result = attempt(() => {
      checkPut(write);
      if (held.has(idOf(write.key))) throw new Refused('TransactionConflictException');
      const before = find(write.key);
      const after = afterOf(write, before);
      store(write.key, after);
      const chosen = returns.endsWith('_OLD') ? before : returns.endsWith('_NEW') ? after : undefined;
      const told =
        chosen && returns.startsWith('UPDATED') && write.kind === 'Update'
          ? shown(write.update, chosen)
          : chosen;
      return told && Object.keys(told).length > 0 ? { item: told } : {};
    });
    if (!(result instanceof Refused)) return { answer: result };
    return { error: result.name, ...(result.item && { item: result.item }) };
  }

  /** Each write by itself, but for an invalid one, which refuses all. Gives those that a transaction keeps out. */
  function writeBatch(writes: readonly BatchWrite[], held: ReadonlySet<string>): Outcome {
    const isInvalid = writes.some((write) => attempt(() => checkPut(write)) instanceof Refused);
    if (isInvalid || new Set(writes.map(({ key }) => idOf(key))).size < writes.length)
      return { error: INVALID };
    const done = writes.filter(({ key }) => !held.has(idOf(key)));
    for (const write of done)
      store(write.key, write.kind === 'Put' ? { ...write.key, ...write.attributes } : undefined);
    return { answer: { unprocessed: writes.length - done.length } };
  }

  function run(command: Command, held: ReadonlySet<string> = new Set()): Outcome {
    if (isNoRequest(command)) return { error: INVALID };
    switch (command.do) {
      case 'write':
        return writeOne(command.write, command.returns, held);
      case 'transact':
        return transact(command.writes, held);
      case 'get': {
        const found = find(command.key);
        if (!found) return { answer: {} };
        const isWhole = command.paths.length === 0;
        return {
          answer: {
            item: isWhole
              ? found
              : shown(
                  command.paths.map((path) => ({ clause: 'REMOVE', path })),
                  found,
                ),
          },
        };
      }
      case 'transactGet':
        if (command.keys.some((key) => held.has(idOf(key)))) return conflict(command.keys, held);
        return { answer: command.keys.map((key) => find(key) ?? null) };
      case 'batchGet':
        return { answer: command.keys.flatMap((key) => find(key) ?? []) };
      case 'batchWrite':
        return writeBatch(command.writes, held);
      case 'query':
      case 'scan':
        return { answer: pagesOf(walked([...items.values()], command), command) };
    }
  }

  return {
    run,
    items,
    /** The items that a transaction has while it lasts, where it lasts: one that is refused at once has none. */
    heldBy: (writes: readonly Write[]): ReadonlySet<string> => {
      const ids = new Set(writes.map(({ key }) => idOf(key)));
      const isInvalid =
        isNoRequest({ do: 'transact', writes }) ||
        ids.size < writes.length ||
        writes.some((write) => attempt(() => checkPut(write)) instanceof Refused);
      return isInvalid ? new Set() : ids;
    },
  };
}

/** Whether a command is refused whatever the items are. */
function isNoRequest(command: Command): boolean {
  switch (command.do) {
    case 'write':
    case 'transact': {
      const writes = command.do === 'write' ? [command.write] : command.writes;
      return writes.some(({ condition }) => condition && isRefused(condition));
    }
    case 'query': {
      const { index, filter, range } = command;
      const isEmpty = range?.by === 'between' && !(Number(orderOf(range.low, range.high)) <= 0);
      // A filter is for what the key condition cannot say.
      const key: readonly unknown[] = index ? namesOf(index) : ['pk', 'sk'];
      const names = filter ? attributesIn(filter) : [];
      return (
        isEmpty || names.some((name) => key.includes(name) || index === 'by-s') || hasRefusedFilter(command)
      );
    }
    case 'scan':
      return hasRefusedFilter(command);
    default:
      return false;
  }
}

const hasRefusedFilter = ({ filter }: Walk): boolean => filter !== undefined && isRefused(filter);

const namesOf = (index: string): readonly (string | undefined)[] => {
  const { hash, range } = INDEXES[index as keyof typeof INDEXES];
  return [hash, range];
};

const INDEXED: Record<string, string> = { g: 'S', r: 'N', s: 'S' };

/** An attribute of an index's key has its type. */
function checkIndexed(item: PlainItem): void {
  for (const name of Object.keys(INDEXED))
    if (item[name] !== undefined && typeOf(item[name]) !== INDEXED[name]) throw new Refused(INVALID);
}

function checkPut(write: Write | BatchWrite): undefined {
  if (write.kind === 'Put') checkIndexed(write.attributes);
}

function afterOf(write: Write, before: PlainItem | undefined): PlainItem | undefined {
  if (write.condition && !holds(write.condition, before ?? {}))
    throw new Refused('ConditionalCheckFailedException', write.tellsOld ? before : undefined);
  if (write.kind === 'ConditionCheck') return before;
  if (write.kind === 'Delete') return undefined;
  if (write.kind === 'Put') return { ...write.key, ...write.attributes };
  try {
    const after = updated(write.update, before ?? write.key);
    checkIndexed(after);
    return after;
  } catch (error) {
    throw error instanceof Misfit ? new Refused(INVALID) : error;
  }
}

function walked(items: readonly PlainItem[], command: Command & { do: 'query' | 'scan' }): PlainItem[] {
  const index = command.index ? INDEXES[command.index as keyof typeof INDEXES] : undefined;
  const [hash, range] = index ? [index.hash, index.range] : ['pk', 'sk'];
  const names = [hash, ...(range ? [range] : []), ...(index ? ['pk', 'sk'] : [])];
  const found = items
    .filter((item) => names.every((name) => item[name] !== undefined))
    .filter((item) => command.do === 'scan' || item[hash] === command.hash)
    .filter(
      (item) => command.do === 'scan' || !command.range || isIn(command.range, item[String(range)] as Plain),
    )
    .sort((a, b) => byNames(names, a, b));
  return command.do === 'query' && !command.isForward ? found.reverse() : found;
}

const byNames = (names: readonly string[], a: PlainItem, b: PlainItem): number =>
  names.map((name) => Number(orderOf(a[name] as Plain, b[name] as Plain))).find((order) => order !== 0) ?? 0;

function isIn(range: Range, value: Plain): boolean {
  if (range.by === 'begins') return String(value).startsWith(range.prefix);
  if (range.by === 'between')
    return Number(orderOf(value, range.low)) >= 0 && Number(orderOf(value, range.high)) <= 0;
  const order = Number(orderOf(value, range.value));
  return { '=': order === 0, '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[range.by];
}

// A page that has reached its limit is followed by another one, if only by an empty one.
function pagesOf(
  found: readonly PlainItem[],
  { limit = Number.POSITIVE_INFINITY, filter, isCount, index }: Walk,
): Page[] {
  const pages: Page[] = [];
  for (let at = 0; at <= found.length; at += limit) {
    const scanned = found.slice(at, at + limit);
    const items = scanned
      .map((item) => (index === 'by-s' ? keysOnly(item) : item))
      .filter((item) => !filter || holds(filter, item));
    pages.push({ ...(!isCount && { items }), count: items.length, scanned: scanned.length });
  }
  return pages;
}

const keysOnly = ({ pk, sk, s }: PlainItem): PlainItem => ({ pk, sk, s }) as PlainItem;
