import { XmlRefused } from '../errors.ts';
import type { Source } from './source.ts';

/** A tag, with the characters it takes in the source's text. */
export type Tag = {
  readonly kind: 'open' | 'empty' | 'close';
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly attributes: number;
  readonly namespaces: number;
  /** Whether text stands between the tag before and this one. */
  readonly follows: boolean;
};

const SPACE = '[ \\t\\r\\n]';
const NAME = /[^ \t\r\n<>/=!?"'&]+/y;
const ATTRIBUTE = new RegExp(`${SPACE}+([^ \\t\\r\\n<>/="'&]+)${SPACE}*=${SPACE}*(?:"[^"<]*"|'[^'<]*')`, 'y');
const TAG_END = new RegExp(`${SPACE}*(/?)>`, 'y');
const CLOSE_END = new RegExp(`${SPACE}*>`, 'y');

const fail = (what: string): never => {
  throw new XmlRefused('malformed', `The document is not well-formed XML: ${what}.`);
};

/**
 * The tags of a document in their order. It only splits: whether the document is well formed is the parser's word.
 * A document type is refused wherever it stands, before any parser could see its entities.
 */
export function* tagsOf({ text, start }: Source): Generator<Tag> {
  let follows = false;
  for (let at = start; at < text.length; ) {
    const markup = text.indexOf('<', at);
    if (markup < 0) return;
    follows ||= markup > at;
    const end = asideEnd(text, markup);
    if (end !== undefined) {
      follows = true;
      at = end;
      continue;
    }
    const tag = text[markup + 1] === '/' ? closeTag(text, markup, follows) : openTag(text, markup, follows);
    yield tag;
    follows = false;
    at = tag.end;
  }
}

// The end of a comment, a processing instruction or a CDATA section, if one begins here.
function asideEnd(text: string, at: number): number | undefined {
  const next = text[at + 1];
  if (next === '?') return after(text, '?>', at + 2, 'a processing instruction has no end');
  if (next !== '!') return undefined;
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4, 'a comment has no end');
  if (text.startsWith('<![CDATA[', at)) return after(text, ']]>', at + 9, 'a CDATA section has no end');
  throw new XmlRefused(
    'doctype',
    'The document has a document type declaration (<!DOCTYPE ...>). Entities could change what is signed: remove it.',
  );
}

function after(text: string, mark: string, from: number, otherwise: string): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? fail(otherwise) : found + mark.length;
}

function openTag(text: string, start: number, follows: boolean): Tag {
  const name = nameAt(text, start + 1);
  let at = start + 1 + name.length;
  let attributes = 0;
  let namespaces = 0;
  while (text[at] !== '>') {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (!found) break;
    if (found[1]?.startsWith('xmlns')) namespaces++;
    else attributes++;
    at = ATTRIBUTE.lastIndex;
  }
  TAG_END.lastIndex = at;
  const end = TAG_END.exec(text) ?? fail(`the tag <${name.slice(0, 40)}> cannot be read`);
  const kind = end[1] === '/' ? 'empty' : 'open';
  return { kind, start, end: TAG_END.lastIndex, name, attributes, namespaces, follows };
}

function closeTag(text: string, start: number, follows: boolean): Tag {
  const name = nameAt(text, start + 2);
  CLOSE_END.lastIndex = start + 2 + name.length;
  if (!CLOSE_END.test(text)) fail(`the tag </${name.slice(0, 40)}> cannot be read`);
  return { kind: 'close', start, end: CLOSE_END.lastIndex, name, attributes: 0, namespaces: 0, follows };
}

function nameAt(text: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0] ?? fail('a tag has no name');
}
