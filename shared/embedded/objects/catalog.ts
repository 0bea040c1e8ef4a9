// The rows of buckets, objects and uploads. Every function reads or writes at once, inside or outside of a commit.
import { randomBytes } from 'node:crypto';
import type { Database, Row } from '../database.ts';
import { invalidArgument, keyTooLong, noSuchBucket, noSuchUpload } from './errors.ts';
import type { BucketNotification } from './notification-rules.ts';

// SQLite compares texts by their bytes in UTF-8, as S3 sorts keys.
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, created INTEGER NOT NULL, cors TEXT NOT NULL DEFAULT '[]',
    notifications TEXT NOT NULL DEFAULT '[]') STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS objects (bucket TEXT NOT NULL, key TEXT NOT NULL, etag TEXT NOT NULL, size INTEGER NOT NULL,
    type TEXT NOT NULL, modified INTEGER NOT NULL, content TEXT NOT NULL, PRIMARY KEY (bucket, key)) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS objects_by_content ON objects (content)',
  `CREATE TABLE IF NOT EXISTS uploads (id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL,
    started INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS parts (upload TEXT NOT NULL, number INTEGER NOT NULL, etag TEXT NOT NULL, size INTEGER NOT NULL,
    content TEXT NOT NULL, PRIMARY KEY (upload, number)) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS parts_by_content ON parts (content)',
  `CREATE TABLE IF NOT EXISTS object_state (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL,
    secret BLOB NOT NULL) STRICT`,
];

const SECRET_BYTES = 32;

export type CorsRule = {
  readonly AllowedOrigins?: readonly string[];
  readonly AllowedMethods?: readonly string[];
  readonly ExposeHeaders?: readonly string[];
  readonly MaxAgeSeconds?: number;
};
export type Bucket = {
  readonly name: string;
  readonly createdMs: number;
  readonly cors: readonly CorsRule[];
  readonly notifications: readonly BucketNotification[];
};
/** An object without its place. The entity tag has its quotes. */
export type StoredObject = {
  readonly etag: string;
  readonly size: number;
  readonly type: string;
  readonly modifiedMs: number;
  readonly content: string;
};
export type Upload = { readonly id: string; readonly bucket: string; readonly key: string };
export type Part = {
  readonly number: number;
  readonly etag: string;
  readonly size: number;
  readonly content: string;
};
/** Keys from one on, and before another one. */
export type KeyRange = { readonly from: string | Uint8Array; readonly before: string | Uint8Array };

export type Catalog = ReturnType<typeof createCatalog>;

export function createCatalog(database: Database) {
  for (const sql of SCHEMA) database.run(sql);
  if (!database.get('SELECT 1 FROM object_state'))
    database.run('INSERT OR IGNORE INTO object_state VALUES (1, 0, ?)', randomBytes(SECRET_BYTES));

  const findBucket = (name: unknown): Bucket | undefined => {
    const row = database.get('SELECT * FROM buckets WHERE name = ?', String(name));
    return row && asBucket(row);
  };
  const partsOf = (upload: string): Part[] =>
    [...database.each('SELECT * FROM parts WHERE upload = ? ORDER BY number', upload)].map(asPart);
  const removeUpload = (id: string): string[] => {
    const contents = partsOf(id).map(({ content }) => content);
    database.run('DELETE FROM parts WHERE upload = ?', id);
    database.run('DELETE FROM uploads WHERE id = ?', id);
    return contents;
  };

  return {
    findBucket,
    requireBucket: (name: unknown): Bucket => {
      const bucket = findBucket(name);
      if (!bucket) throw noSuchBucket();
      return bucket;
    },
    buckets: (): Bucket[] => [...database.each('SELECT * FROM buckets ORDER BY name')].map(asBucket),
    createBucket: (name: string, createdMs: number) =>
      database.run('INSERT INTO buckets (name, created) VALUES (?, ?)', name, createdMs),
    isEmpty: (bucket: string): boolean =>
      database.get('SELECT 1 FROM objects WHERE bucket = ? LIMIT 1', bucket) === undefined,
    /** Its unfinished uploads go too, and their content is left to the sweep. */
    removeBucket: (name: string): void => {
      const uploads = [...database.each('SELECT id FROM uploads WHERE bucket = ?', name)];
      for (const { id } of uploads) removeUpload(String(id));
      database.run('DELETE FROM buckets WHERE name = ?', name);
    },
    setCors: (bucket: string, rules: readonly CorsRule[]) =>
      database.run('UPDATE buckets SET cors = ? WHERE name = ?', JSON.stringify(rules), bucket),
    setNotifications: (bucket: string, notifications: readonly BucketNotification[]) =>
      database.run(
        'UPDATE buckets SET notifications = ? WHERE name = ?',
        JSON.stringify(notifications),
        bucket,
      ),

    find: (bucket: string, key: string): StoredObject | undefined => {
      const row = database.get('SELECT * FROM objects WHERE bucket = ? AND key = ?', bucket, key);
      return row && asObject(row);
    },
    write: (bucket: string, key: string, { etag, size, type, modifiedMs, content }: StoredObject) =>
      database.run(
        'INSERT OR REPLACE INTO objects (bucket, key, etag, size, type, modified, content) VALUES (?, ?, ?, ?, ?, ?, ?)',
        bucket,
        key,
        etag,
        size,
        type,
        modifiedMs,
        content,
      ),
    remove: (bucket: string, key: string) =>
      database.run('DELETE FROM objects WHERE bucket = ? AND key = ?', bucket, key),
    list: (bucket: string, { from, before }: KeyRange, limit: number): (StoredObject & { key: string })[] =>
      [
        ...database.each(
          'SELECT * FROM objects WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?',
          bucket,
          from,
          before,
          limit,
        ),
      ].map((row) => ({ ...asObject(row), key: String(row.key) })),

    createUpload: ({ id, bucket, key }: Upload, type: string, startedMs: number) =>
      database.run('INSERT INTO uploads VALUES (?, ?, ?, ?, ?)', id, bucket, key, type, startedMs),
    requireUpload: ({ id, bucket, key }: Upload): { readonly type: string } => {
      const sql = 'SELECT type FROM uploads WHERE id = ? AND bucket = ? AND key = ?';
      const row = database.get(sql, id, bucket, key);
      if (!row) throw noSuchUpload();
      return { type: String(row.type) };
    },
    uploads: (bucket: string, { from, before }: KeyRange, limit: number) =>
      [
        ...database.each(
          'SELECT * FROM uploads WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key, id LIMIT ?',
          bucket,
          from,
          before,
          limit,
        ),
      ].map(({ id, key, started }) => ({ id: String(id), key: String(key), startedMs: Number(started) })),
    uploadsBefore: (startedMs: number, limit: number): string[] =>
      [...database.each('SELECT id FROM uploads WHERE started < ? LIMIT ?', startedMs, limit)].map(({ id }) =>
        String(id),
      ),
    /** The contents of its parts, which nothing uses from now on. */
    removeUpload,
    parts: partsOf,
    writePart: (upload: string, { number, etag, size, content }: Part) =>
      database.run(
        'INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?)',
        upload,
        number,
        etag,
        size,
        content,
      ),

    /** The key of all links to this folder's objects. */
    secret: (): Uint8Array => database.get('SELECT secret FROM object_state')?.secret as Uint8Array,
    isUsed: (content: string): boolean =>
      database.get(
        'SELECT 1 FROM objects WHERE content = ? UNION ALL SELECT 1 FROM parts WHERE content = ? LIMIT 1',
        content,
        content,
      ) !== undefined,
  };
}

const asBucket = ({ name, created, cors, notifications }: Row): Bucket => ({
  name: String(name),
  createdMs: Number(created),
  cors: JSON.parse(String(cors)),
  notifications: JSON.parse(String(notifications)),
});
const asObject = ({ etag, size, type, modified, content }: Row): StoredObject => ({
  etag: String(etag),
  size: Number(size),
  type: String(type),
  modifiedMs: Number(modified),
  content: String(content),
});
const asPart = ({ number, etag, size, content }: Row): Part => ({
  number: Number(number),
  etag: String(etag),
  size: Number(size),
  content: String(content),
});

const MAX_KEY_BYTES = 1_024;

/** A key that S3 takes, but for U+0000, which ends a text in SQLite. */
export function requireKey(key: unknown): string {
  if (typeof key !== 'string' || key === '' || !key.isWellFormed() || key.includes('\0'))
    throw invalidArgument('The key is empty, not well-formed Unicode, or holds U+0000.');
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw keyTooLong();
  return key;
}

// Every text is before every blob.
const AFTER_ALL = new Uint8Array();

/** The first text that is after all that begin with this one. */
export function afterPrefix(prefix: string): string | Uint8Array {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    // Surrogates are no characters.
    if (point < 0x10_ff_ff)
      return points.join('') + String.fromCodePoint(point === 0xd7_ff ? 0xe0_00 : point + 1);
  }
  return AFTER_ALL;
}
