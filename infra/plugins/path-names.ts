import type { Framework } from './framework.ts';

// The framework names a path's resource by its letters in lower case, so that of `/Api` and `/api` one would take the
// other's place in the template without a word. A part that is written with capitals is named as it is written.

/** Gives paths that differ by case alone resources of their own. */
export function tellPathsApartByCase(framework: Framework): void {
  const { naming } = framework.getProvider('aws');
  const usual = naming.normalizePathPart.bind(naming);
  naming.normalizePathPart = (part) =>
    HAS_CAPITALS.test(part) ? `Cased${part.replace(/[^0-9A-Za-z]/g, '')}` : usual(part);
}

// Parameters are no part of what a caller writes.
const HAS_CAPITALS = /^[^{]*[A-Z]/;
