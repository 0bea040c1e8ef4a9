import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export type Import = { readonly from: string; readonly to: string };

const PRODUCT = ['agent', 'cli', 'examples', 'functions', 'infra', 'shared'].flatMap((root) => [
  `${root}/**/*.ts`,
  `${root}/**/*.mjs`,
]);
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Every relative import of the product's sources, type imports included, as paths from the root. */
export const imports = (): Import[] =>
  globSync(PRODUCT).flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(IMPORT)].map(([, target = '']) => ({
      from,
      to: normalize(join(dirname(from), target)),
    })),
  );

/**
 * The circles of files and folders. In each folder, an import below one entry of something below another is an arrow
 * between the two entries; a circle of files in different folders is one of their folders.
 * @example circlesOf([{ from: 'a/x.ts', to: 'b/y.ts' }, { from: 'b/z.ts', to: 'a/w.ts' }]) // ['a -> b -> a: …']
 */
export function circlesOf(all: readonly Import[]): string[] {
  const folders = new Map<string, Map<string, Map<string, Import>>>();
  for (const each of all) {
    const { folder, from, to } = meetingPlace(each);
    const arrows = getOrCreate(folders, folder, () => new Map<string, Map<string, Import>>());
    getOrCreate(arrows, from, () => new Map<string, Import>()).set(to, each);
  }
  return [...folders].flatMap(([folder, arrows]) =>
    circleIn(arrows).map(
      (circle) => `${folder}: ${circle.map(({ from, to }) => `${from} -> ${to}`).join(', ')}`,
    ),
  );
}

/** The folder where the paths of both files part, and the entry of each there. */
function meetingPlace({ from, to }: Import) {
  const [a, b] = [from.split('/'), to.split('/')];
  const apart = a.findIndex((part, at) => part !== b[at]);
  return { folder: a.slice(0, apart).join('/') || '.', from: a[apart] ?? '', to: b[apart] ?? '' };
}

/** The first circle found among the entries of a folder, as the imports that close it. */
function circleIn(arrows: ReadonlyMap<string, ReadonlyMap<string, Import>>): Import[][] {
  const finished = new Set<string>();
  const visit = (entry: string, path: readonly string[]): Import[] | undefined => {
    const at = path.indexOf(entry);
    if (at >= 0) return [...path.slice(at), entry].flatMap((each, i, circle) => linkOf(each, circle[i + 1]));
    if (finished.has(entry)) return undefined;
    for (const next of arrows.get(entry)?.keys() ?? []) {
      const found = visit(next, [...path, entry]);
      if (found) return found;
    }
    finished.add(entry);
    return undefined;
  };
  const linkOf = (from: string, to: string | undefined): Import[] => {
    const link = to === undefined ? undefined : arrows.get(from)?.get(to);
    return link ? [link] : [];
  };
  const circles = [...arrows.keys()].map((entry) => visit(entry, []));
  return circles.filter((circle) => circle !== undefined).slice(0, 1);
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const found = map.get(key) ?? create();
  map.set(key, found);
  return found;
}
