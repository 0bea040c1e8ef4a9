import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname } from 'node:path';

// Node's --enable-source-maps reads the map of every file that is loaded, which is a fifth of a cold start. Here a map
// is read when the first error of its file is logged.

const PLACE = /(?:file:\/\/)?(\/[^\s():]+\.mjs):(\d+):(\d+)/g;

/** All bundles of a function are one folder below this one. Any other path is text out of a message. */
const BUNDLES = `${dirname(import.meta.dirname)}/`;

/**
 * A stack with the places of the sources instead of those of the bundles, which are minified.
 * @example readableStack('Error: lost\n    at a (file:///var/task/dist/hub/x.mjs:1:9)') // '… (functions/hub/endpoints/x.ts:3:5)'
 */
export function readableStack(stack: string | undefined, bundles = BUNDLES): string | undefined {
  return stack?.replace(PLACE, (place, file: string, line: string, column: string) =>
    file.startsWith(bundles) ? (sourcePlace(file, Number(line), Number(column)) ?? place) : place,
  );
}

function sourcePlace(file: string, line: number, column: number): string | undefined {
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry)) return undefined;
  const { originalSource, originalLine, originalColumn } = entry;
  return `${originalSource.replace(/^(\.\.\/)+/, '')}:${originalLine + 1}:${originalColumn + 1}`;
}

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

// A log line must not fail: without a readable map the place stays as it is.
function readMap(path: string): SourceMap | undefined {
  try {
    return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  } catch {
    return undefined;
  }
}
