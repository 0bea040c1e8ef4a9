import type { XmlElement } from 'libxml2-wasm';
import { XmlRefused } from '../errors.ts';
import { elementsAt, type Tree } from './tree.ts';

// Denial of service by XPath: only steps by name, with an optional position, which any engine evaluates quickly.
const STEP = '(?:[A-Za-z_][\\w.-]*:)?(?:[A-Za-z_][\\w.-]*|\\*)(?:\\[[1-9][0-9]{0,5}\\])?';
const PREFIX = /([A-Za-z_][\w.-]*):/g;
const PATH = new RegExp(`^//?${STEP}(?:/${STEP}){0,63}$`);

/** An element by a simple path. @example elementAtPath(tree, '//d:DadosDiploma', { d: 'https://portal.mec.gov.br/...' }) */
export function elementAtPath(
  tree: Tree,
  path: string,
  namespaces: Readonly<Record<string, string>>,
): XmlElement {
  if (!PATH.test(path))
    throw new XmlRefused(
      'path-not-allowed',
      `The path ${path.slice(0, 100)} is not one of element names, as in /a/b[2] or //n:b. Predicates and functions are not allowed.`,
    );
  const unknown = [...path.matchAll(PREFIX)].find(([, prefix = '']) => !Object.hasOwn(namespaces, prefix));
  if (unknown)
    throw new XmlRefused(
      'path-not-allowed',
      `The path ${path} uses the prefix ${unknown[1]}: give its namespace.`,
    );
  const [found, another] = elementsAt(tree, path, { ...namespaces });
  if (!found) throw new XmlRefused('element-not-found', `No element stands at ${path}.`);
  if (another)
    throw new XmlRefused('path-not-allowed', `More than one element stands at ${path}: give its position.`);
  return found;
}
