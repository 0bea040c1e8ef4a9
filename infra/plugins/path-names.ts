import type { Framework } from './framework.ts';

// The framework names a path's resource in lower case, so that one of `/Api` and `/api` would silently replace the other
// in the template. A part with capitals keeps them in its name.

/** Gives paths that differ by case alone resources of their own. */
export function separatePathsByCase(framework: Framework): void {
  const { naming } = framework.getProvider('aws');
  const usual = naming.normalizePathPart.bind(naming);
  naming.normalizePathPart = (part) =>
    HAS_CAPITALS.test(part) ? `Cased${part.replace(/[^0-9A-Za-z]/g, '')}` : usual(part);
}

// Parameters are not part of a caller's path.
const HAS_CAPITALS = /^[^{]*[A-Z]/;
