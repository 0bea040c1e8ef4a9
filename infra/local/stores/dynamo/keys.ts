// Where things are in the one LevelDB of a store. Tables, items and index entries are spelled as dynalite
// spells them; tokens and expiry settings are ours.
export const TABLE_PREFIX = 'table~';
export const tableKey = (table: string) => `${TABLE_PREFIX}${table}`;
export const itemPrefix = (table: string) => `item-${table}~`;
/** Of an item: its table is the first group. */
export const ITEM_KEY = /^item-([^~]+)~/;
export const indexPrefix = (kind: string, table: string, index: string) =>
  `index-${kind.toLowerCase()}~${table}~${index}~`;
export const EXPIRY_PREFIX = 'expiry~';
export const TOKEN_PREFIX = 'token~';

/** The range of all keys with a prefix. What follows a prefix is ASCII, so this ends after the last. */
export const within = (prefix: string) => ({ gte: prefix, lt: `${prefix}\xff` });
