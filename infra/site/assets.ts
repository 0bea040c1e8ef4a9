import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The site needs no build: its style is that of all pages and its own in one file, its script is plain JavaScript.

const SHARED = join(import.meta.dirname, '../../shared/ui/styles');
const SOURCES: Readonly<Record<string, { readonly type: string; readonly files: readonly string[] }>> = {
  'site.css': {
    type: 'text/css; charset=utf-8',
    files: [
      ...['controls.css', 'navigation.css', 'common.css'].map((name) => join(SHARED, name)),
      join(import.meta.dirname, 'site.css'),
    ],
  },
  'copy.js': {
    type: 'text/javascript; charset=utf-8',
    files: [join(import.meta.dirname, 'browser/copy.mjs')],
  },
};

type Asset = { readonly type: string; readonly text: string; readonly version: string };

const made = new Map<string, Asset>();

/** A style or script of the site. @example assetOf('site.css')?.text */
export function assetOf(name: string): Asset | undefined {
  const source = SOURCES[name];
  if (!source || !Object.hasOwn(SOURCES, name)) return undefined;
  const known = made.get(name);
  if (known) return known;
  // The files that common.css imports stand before it already.
  const text = source.files
    .map((file) => readFileSync(file, 'utf8').replace(/^@import .*$/gm, ''))
    .join('\n');
  const version = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const asset = { type: source.type, text, version };
  made.set(name, asset);
  return asset;
}

/** Its address, which changes with its content: browsers keep it for ever. */
export const assetAddress = (base: string, name: string): string =>
  `${base}/assets/${name}?v=${assetOf(name)?.version ?? ''}`;
