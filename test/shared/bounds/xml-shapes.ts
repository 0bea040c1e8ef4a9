import type { Case } from './cost.ts';

/** An element in a text: its start, the end of its start tag, and its end. */
type Span = { readonly name: string; readonly start: number; readonly inside: number; readonly end: number };

const MARKUP =
  /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(?<close>\/?)(?<name>[\w:]+)(?:"[^"]*"|'[^']*'|[^>"'])*?(?<empty>\/?)>/gs;

const times = (unit: string, bytes: number): string =>
  unit.repeat(Math.max(1, Math.floor(bytes / unit.length)));
const numbered = (count: number, each: (at: number) => string): string =>
  Array.from({ length: Math.floor(count) }, (_, at) => each(at)).join('');

/** The content to insert into an element, at about so many bytes. */
const INSIDE: Readonly<Record<string, (bytes: number) => string>> = {
  'many elements': (bytes) => times('<a/>', bytes),
  'many references': (bytes) => times('x&amp;', bytes),
  'many accents': (bytes) => times('é', bytes / 2),
  'a long text in Base64': (bytes) => times('QUJD', bytes),
  'many comments': (bytes) => times('<!---->', bytes),
  'many elements in the depth': (bytes) => `${'<a>'.repeat(200)}${times('<b/>', bytes)}${'</a>'.repeat(200)}`,
  'many namespaces': (bytes) =>
    numbered(bytes / 60, (at) => `<p${at}:a xmlns:p${at}="u:${at}" a${at}="1" b="2"/>`),
  'many attributes': (bytes) => `<a ${numbered(bytes / 12, (at) => `a${at}="1" `)}/>`,
};

/**
 * Variants of a signed document, each with one element made hostile in one way. `every` selects one of so many.
 */
export function* hostileXml(signed: string, bytes: number, every = 1): Generator<Case> {
  let count = 0;
  for (const span of spansIn(signed))
    for (const [shape, make] of shapesOf(signed, span)) {
      if (count++ % every) continue;
      yield { name: `${span.name}: ${shape}, ${bytes} bytes`, bytes: () => Buffer.from(make(bytes)) };
    }
}

function* shapesOf(
  text: string,
  { start, inside, end }: Span,
): Generator<[string, (bytes: number) => string]> {
  const [before, element, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  yield ['repeated', (bytes) => before + times(element, bytes) + after];
  const tagEnd = text[inside - 2] === '/' ? inside - 2 : inside - 1;
  const withAttribute = (bytes: number): string =>
    `${text.slice(0, tagEnd)} q="${'y'.repeat(bytes)}"${text.slice(tagEnd)}`;
  yield ['a long attribute', withAttribute];
  if (tagEnd === inside - 2) return;
  for (const [shape, make] of Object.entries(INSIDE))
    yield [shape, (bytes) => text.slice(0, inside) + make(bytes) + text.slice(inside)];
}

/** The elements of a text, inner ones first. */
export function spansIn(text: string): Span[] {
  const open: Omit<Span, 'end'>[] = [];
  const found: Span[] = [];
  for (const { 0: markup, index, groups } of text.matchAll(MARKUP)) {
    const { name, close, empty } = groups ?? {};
    if (!name) continue;
    const end = index + markup.length;
    if (!close) open.push({ name, start: index, inside: end });
    const begun = close || empty ? open.pop() : undefined;
    if (begun) found.push({ ...begun, end });
  }
  return found;
}
