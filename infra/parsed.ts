import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const KEPT = resolve(import.meta.dirname, '../node_modules/.cache/sinete/parsed');

const parsed = new Map<string, string>();

/**
 * The content of a YAML text, parsed once and kept as JSON beside the dependencies: parsing all declarations takes longer
 * than anything else of a start, which has four processes that need them.
 * @example parseOnce(text, () => parseDocument(text).toJS())
 */
export function parseOnce(text: string, parse: () => unknown): unknown {
  const known = parsed.get(text);
  if (known !== undefined) return JSON.parse(known);
  const path = join(KEPT, `${keyOf(text)}.json`);
  const kept = readKept(path);
  const content = kept ?? JSON.stringify(parse());
  parsed.set(text, content);
  if (kept === undefined) keep(path, content);
  return JSON.parse(content);
}

/** Undefined where there is none, or half of one: a power cut may leave that. */
function readKept(path: string): string | undefined {
  try {
    const content = readFileSync(path, 'utf8');
    JSON.parse(content);
    return content;
  } catch {
    return undefined;
  }
}

/** Renamed into place, so that what is kept is whole. Where it cannot be written, every process parses. */
function keep(path: string, content: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(draft, content);
    renameSync(draft, path);
  } catch {
    // Kept for this process alone.
  }
}

let parser: string | undefined;

/** Of the text and of what parses it. */
function keyOf(text: string): string {
  parser ??= [
    createRequire(import.meta.url).resolve('yaml/package.json'),
    join(import.meta.dirname, 'resources.ts'),
  ]
    .map((path) => readFileSync(path, 'utf8'))
    .join();
  return createHash('sha256').update(parser).update(text).digest('hex').slice(0, 32);
}
