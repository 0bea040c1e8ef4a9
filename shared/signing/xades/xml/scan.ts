import { XmlRefused } from '../errors.ts';
import { type Source, textAt } from './source.ts';

/** A tag, with its range of units in the source. */
export type Tag = {
  kind: 'open' | 'empty' | 'close';
  start: number;
  end: number;
  attributes: number;
  namespaces: number;
  /** Texts, comments and the like between the previous tag and this one. */
  asides: number;
};

type Units = Source['units'];

const code = (character: string): number => character.charCodeAt(0);
const LESS = code('<');
const GREATER = code('>');
const SLASH = code('/');
const EQUALS = code('=');
const COLON = code(':');
const SPACE = code(' '); // the characters that XML allows below it are white space too
const DASH = code('-');
const BRACKET = code(']');
const MARK = code('?');
const BANG = code('!');
const COMMENT = '<!--';
const CDATA = '<![CDATA[';
const NAMESPACE = 'xmlns';

const fail = (what: string): never => {
  throw new XmlRefused('malformed', `The document is not well-formed XML: ${what}.`);
};

/**
 * Visits the tags of a document in order until `visit` answers true; the tag object is reused. Answers the number of
 * asides after the last tag. It only splits: the parser decides whether the document is well formed. XXE and entity
 * expansion ("billion laughs"): a document type is refused anywhere, before a parser sees its entities.
 */
export function eachTag({ units, start }: Source, visit: (tag: Readonly<Tag>) => boolean): number {
  const tag: Tag = { kind: 'open', start: 0, end: start, attributes: 0, namespaces: 0, asides: 0 };
  for (let at = start; ; ) {
    const found = find(units, LESS, at);
    if (found < 0) return tag.asides;
    if (found > at) tag.asides++;
    const next = units[found + 1];
    if (next === MARK || next === BANG) {
      tag.asides++;
      at = asideEnd(units, found);
      continue;
    }
    tag.start = found;
    if (next === SLASH) closeTag(units, tag);
    else openTag(units, tag);
    if (visit(tag)) return 0;
    tag.asides = 0;
    at = tag.end;
  }
}

/** The name in an opening tag. */
export const nameOf = (source: Source, { start }: Readonly<Tag>): string =>
  textAt(source, start + 1, nameEnd(source.units, start + 1));

// The end of a comment, a processing instruction or a CDATA section.
function asideEnd(units: Units, at: number): number {
  if (units[at + 1] === MARK) return endAfter(units, at + 2, MARK, 1) ?? fail('an instruction has no end');
  if (startsWithAt(units, COMMENT, at))
    return endAfter(units, at + 4, DASH, 2) ?? fail('a comment has no end');
  if (startsWithAt(units, CDATA, at))
    return endAfter(units, at + 9, BRACKET, 2) ?? fail('a CDATA section has no end');
  throw new XmlRefused(
    'doctype',
    'The document has a document type declaration (<!DOCTYPE ...>). Entities could change what is signed: remove it.',
  );
}

// The position after the next `>` that follows this mark, once or twice.
function endAfter(units: Units, from: number, mark: number, times: 1 | 2): number | undefined {
  for (let at = find(units, GREATER, from + times); at >= 0; at = find(units, GREATER, at + 1))
    if (units[at - 1] === mark && (times === 1 || units[at - 2] === mark)) return at + 1;
  return undefined;
}

function closeTag(units: Units, tag: Tag): void {
  const end = find(units, GREATER, tag.start + 2);
  tag.kind = 'close';
  tag.attributes = 0;
  tag.namespaces = 0;
  tag.end = end < 0 ? fail('a closing tag has no end') : end + 1;
}

// Denial of service: reports repeat names in paths, once for every signature inside.
const MAX_NAME_UNITS = 1000;

function openTag(units: Units, tag: Tag): void {
  tag.attributes = 0;
  tag.namespaces = 0;
  let at = nameEnd(units, tag.start + 1);
  if (at - tag.start > MAX_NAME_UNITS)
    throw new XmlRefused(
      'too-complex',
      `A name in the document is longer than ${MAX_NAME_UNITS} characters.`,
    );
  for (;;) {
    at = pastSpace(units, at);
    const next = units[at];
    if (next === GREATER || (next === SLASH && units[at + 1] === GREATER)) {
      tag.kind = next === SLASH ? 'empty' : 'open';
      tag.end = next === SLASH ? at + 2 : at + 1;
      return;
    }
    if (isNamespace(units, at)) tag.namespaces++;
    else tag.attributes++;
    at = attributeEnd(units, at);
  }
}

// `xmlns` or `xmlns:prefix`, and not a longer name that begins alike.
function isNamespace(units: Units, at: number): boolean {
  if (!startsWithAt(units, NAMESPACE, at)) return false;
  const next = units[at + NAMESPACE.length] ?? 0;
  return next === COLON || next === EQUALS || next <= SPACE;
}

function nameEnd(units: Units, from: number): number {
  let at = from;
  for (let unit = units[at]; unit !== undefined; unit = units[++at])
    if (unit <= SPACE || unit === GREATER || unit === SLASH) break;
  return at === from || units[at] === undefined ? fail('a tag cannot be read') : at;
}

function pastSpace(units: Units, from: number): number {
  let at = from;
  for (let unit = units[at]; unit !== undefined && unit <= SPACE; unit = units[at]) at++;
  return at;
}

function attributeEnd(units: Units, from: number): number {
  let at = from;
  for (let unit = units[at]; unit !== EQUALS; unit = units[++at])
    if (unit === undefined || unit === GREATER || unit === LESS) fail('an attribute cannot be read');
  const opening = pastSpace(units, at + 1);
  const quote = units[opening];
  const isQuote = quote === code('"') || quote === code("'");
  const end = isQuote ? find(units, quote, opening + 1) : -1;
  return end < 0 ? fail('an attribute has no value') : end + 1;
}

function startsWithAt(units: Units, text: string, at: number): boolean {
  for (let i = 0; i < text.length; i++) if (units[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

const NEAR_UNITS = 64; // a call of indexOf costs more than comparing this many units

function find(units: Units, unit: number, from: number): number {
  const near = Math.min(units.length, from + NEAR_UNITS);
  for (let at = from; at < near; at++) if (units[at] === unit) return at;
  return near < units.length ? units.indexOf(unit, near) : -1;
}
