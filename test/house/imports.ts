import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export type Import = { readonly from: string; readonly to: string };

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Every relative import of the product's sources, as paths from the root. */
export const imports = (): Import[] =>
  globSync(['shared/**/*.ts', 'functions/**/*.ts']).flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(IMPORT)].map(([, target = '']) => ({
      from,
      to: normalize(join(dirname(from), target)),
    })),
  );
