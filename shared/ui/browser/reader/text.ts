import { element } from '../element.ts';
import { language } from '../page-language.ts';
import { degreeFacts } from './degree.ts';
import { NotDrawable, type Source } from './mount.ts';
import { drawingWords } from './words.ts';

const words = drawingWords(language);

// A browser draws a few megabytes of text without a pause that a person notices.
const MAX_BYTES = 4 * 1024 * 1024;
const INDENT = '  ';

/** Shows text as it is, and XML indented; a degree's XML with its facts first. */
export async function drawText({ kind, address, headers = {}, bytes }: Source): Promise<HTMLElement> {
  if (bytes > MAX_BYTES) throw new NotDrawable(words.tooLarge);
  const response = await fetch(new URL(address, location.href), { headers });
  if (!response.ok) throw new Error(`The content was answered ${response.status}.`);
  const text = textOf(await response.arrayBuffer());
  if (kind !== 'xml') return view(text);
  const xml = new DOMParser().parseFromString(text, 'application/xml');
  if (xml.querySelector('parsererror'))
    return element('div', {}, element('p', { className: 'note' }, words.notXml), view(text));
  const facts = degreeFacts(xml);
  return element('div', { className: 'reader-xml' }, facts, view(indented(xml)));
}

const view = (text: string): HTMLElement =>
  element(
    'pre',
    { className: 'reader-plain', tabIndex: 0, with: { role: 'region', 'aria-label': words.pages } },
    text,
  );

/** UTF-8, or Latin-1 where it is not: both are met in Brazil. */
function textOf(content: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return new TextDecoder('windows-1252').decode(content);
  }
}

/** One line for each element; an element of text alone is one line. */
function indented(xml: Document): string {
  const lines: string[] = [];
  const walk = (node: Element, depth: number): void => {
    const space = INDENT.repeat(depth);
    const opening = `<${[node.nodeName, ...[...node.attributes].map(({ name, value }) => `${name}="${value}"`)].join(' ')}`;
    const text = [...node.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE || nodeType === Node.CDATA_SECTION_NODE)
      .map(({ textContent }) => textContent ?? '')
      .join('')
      .trim();
    if (node.children.length === 0) {
      lines.push(text === '' ? `${space}${opening}/>` : `${space}${opening}>${text}</${node.nodeName}>`);
      return;
    }
    lines.push(`${space}${opening}>`);
    if (text !== '') lines.push(`${space}${INDENT}${text}`);
    for (const child of node.children) walk(child, depth + 1);
    lines.push(`${space}</${node.nodeName}>`);
  };
  walk(xml.documentElement, 0);
  return lines.join('\n');
}
