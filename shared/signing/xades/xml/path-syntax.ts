import { XmlRefused } from '../errors.ts';

// Denial of service by XPath: only steps by name, with an optional position, which any engine evaluates quickly.
const STEP = '(?:[A-Za-z_][\\w.-]*:)?(?:[A-Za-z_][\\w.-]*|\\*)(?:\\[[1-9][0-9]{0,5}\\])?';
const PREFIX = /([A-Za-z_][\w.-]*):/g;
const PATH = new RegExp(`^//?${STEP}(?:/${STEP}){0,63}$`);

/** Refuses a path that is not one of element names. It needs no document. @example requireSimplePath('//n:b') */
export function requireSimplePath(path: string): void {
  if (!PATH.test(path))
    throw new XmlRefused(
      'path-not-allowed',
      `The path ${path.slice(0, 100)} is not one of element names, as in /a/b[2] or //n:b. Predicates and functions are not allowed.`,
    );
}

/** Refuses a path with a prefix whose namespace is not given. @example requirePrefixes('//n:b', { n: 'urn:n' }) */
export function requirePrefixes(path: string, namespaces: Readonly<Record<string, string>>): void {
  const unknown = [...path.matchAll(PREFIX)].find(([, prefix = '']) => !Object.hasOwn(namespaces, prefix));
  if (unknown)
    throw new XmlRefused(
      'path-not-allowed',
      `The path ${path} uses the prefix ${unknown[1]}: give its namespace.`,
    );
}
