import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item, Store } from './dynalite.ts';
import { ITEM_KEY } from './keys.ts';

/**
 * Reads all that is stored once, and tells in a line each what of it is damaged. LevelDB drops what it cannot read of
 * its log without a word to its caller, and meets a damaged table only when somebody reads from it.
 * @example for (const line of await findDamage(store, path, (table, item) => {})) say(line)
 */
export async function findDamage(
  { db }: Store,
  path: string,
  each: (table: string, item: Item) => void,
): Promise<string[]> {
  const damaged: string[] = [];
  let failure: string | undefined;
  try {
    for await (const [key, value] of db.iterator({ valueEncoding: 'utf8' })) {
      const item = parsed(String(value));
      if (item === undefined) damaged.push(key);
      const [, table] = ITEM_KEY.exec(key) ?? [];
      if (item && table) each(table, item as Item);
    }
  } catch (error) {
    failure = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
  }
  return [
    ...droppedFromLog(path),
    ...(damaged.length > 0 ? [`${damaged.length} records cannot be read, the first at ${damaged[0]}`] : []),
    ...(failure ? [`a part of its tables cannot be read (${failure})`] : []),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What LevelDB notes of its own start in a file that is begun anew each time. */
function droppedFromLog(path: string): string[] {
  let notes: string;
  try {
    notes = readFileSync(join(path, 'LOG'), 'utf8');
  } catch {
    return [];
  }
  const bytes = [...notes.matchAll(/dropping (\d+) bytes; Corruption/g)].map(([, count]) => Number(count));
  const total = bytes.reduce((sum, count) => sum + count, 0);
  return total > 0
    ? [`${total} bytes of what was written last cannot be read, and the records in them are lost`]
    : [];
}
