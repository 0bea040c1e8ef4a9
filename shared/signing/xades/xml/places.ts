import type { XmlElement } from 'libxml2-wasm';
import { XmlRefused } from '../errors.ts';
import { elementsAt, type Tree } from './tree.ts';

/** Attributes that name an element, unless the caller says otherwise. No schema is read, so a name must do. */
export const ID_ATTRIBUTES = ['Id', 'ID', 'id', 'xml:id'] as const;

const nameOf = ({ prefix, name }: { prefix: string; name: string }): string =>
  prefix ? `${prefix}:${name}` : name;

const ATTRIBUTE_NAME = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;

/** Every element that carries this identifier; more than one is an ambiguity that no signature may rest on. */
export function elementsById(tree: Tree, id: string, attributes: readonly string[]): XmlElement[] {
  const quote = id.includes("'") ? '"' : "'";
  if (id === '' || id.includes(quote)) return [];
  const named = attributes.filter((name) => ATTRIBUTE_NAME.test(name)).map((name) => `name()='${name}'`);
  return elementsAt(tree, `//@*[.=${quote}${id}${quote}][${named.join(' or ') || 'false()'}]/..`);
}

/** The one element with this identifier. @example elementById(tree, 'Dip123', ID_ATTRIBUTES) */
export function elementById(tree: Tree, id: string, attributes: readonly string[]): XmlElement {
  const [found, another] = elementsById(tree, id, attributes);
  if (!found)
    throw new XmlRefused(
      'element-not-found',
      `No element has the identifier ${id} in any of the attributes ${attributes.join(', ')}.`,
    );
  if (another)
    throw new XmlRefused(
      'duplicate-id',
      `More than one element has the identifier ${id}: ${pathOf(found)} and ${pathOf(another)}.`,
    );
  return found;
}

// Steps by name, with a position at most: what any engine answers in time, whatever the document.
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

/** The element and those around it, the root first. */
export function lineOf(element: XmlElement): XmlElement[] {
  const line: XmlElement[] = [];
  for (let at: XmlElement | null = element; at; at = at.parent) line.unshift(at);
  return line;
}

/** How many elements stand before each of the line: the same place, for a reader that knows no names. */
export const ordinalsOf = (element: XmlElement): number[] =>
  lineOf(element).map((at) => Number(at.eval('count(preceding-sibling::*)')));

/** The place of an element as a person reads it. @example pathOf(element) // '/lote/nota[2]' */
export const pathOf = (element: XmlElement): string =>
  lineOf(element)
    .map((at) => `/${nameOf(at)}${positionOf(at)}`)
    .join('');

function positionOf(element: XmlElement): string {
  const same = `*[name()='${nameOf(element)}']`;
  const before = Number(element.eval(`count(preceding-sibling::${same})`));
  return before > 0 || element.eval(`boolean(following-sibling::${same})`) === true ? `[${before + 1}]` : '';
}

export const isWithin = (element: XmlElement, ancestor: XmlElement): boolean =>
  lineOf(element).some((at) => at.isSameNode(ancestor));
