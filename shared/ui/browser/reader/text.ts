import { element } from '../element.ts';
import { language } from '../page-language.ts';
import { degreeFacts } from './degree.ts';
import { downloadLink } from './download-link.ts';
import { NotShown, readContent, type Source } from './source.ts';
import { readerTexts } from './words.ts';

const words = readerTexts(language);

// A browser draws a few megabytes of text without a pause that a person notices.
const MAX_BYTES = 4 * 1024 * 1024;
const INDENT = '  ';

type TextSource = Omit<Source, 'tools' | 'marks'>;

/** Shows text as it is, and XML indented; of a degree's XML its facts, and the XML below them. */
export async function showText({ kind, content, bytes, download }: TextSource): Promise<HTMLElement> {
  if (bytes > MAX_BYTES) throw new NotShown(words.tooLarge);
  const text = textOf(await readContent(content));
  const view = element('div', { className: 'reader-view' });
  if (download)
    view.append(
      element(
        'div',
        { className: 'reader-tools', with: { role: 'group', 'aria-label': words.tools } },
        downloadLink(download),
      ),
    );
  view.append(...(kind === 'xml' ? partsOfXml(text) : [plainText(text)]));
  return view;
}

function partsOfXml(text: string): HTMLElement[] {
  const xml = new DOMParser().parseFromString(text, 'application/xml');
  if (xml.querySelector('parsererror'))
    return [element('p', { className: 'note' }, words.notXml), plainText(text)];
  const facts = degreeFacts(xml);
  const source = plainText(indented(xml));
  if (!facts) return [source];
  return [
    facts,
    element('details', { className: 'reader-source' }, element('summary', {}, words.asXml), source),
  ];
}

const plainText = (text: string): HTMLElement =>
  element(
    'pre',
    { className: 'reader-plain', tabIndex: 0, with: { role: 'region', 'aria-label': words.content } },
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

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** One line for each element; an element of text alone is one line. Nothing of the file is left out. */
function indented(xml: Document): string {
  const lines: string[] = [];
  const walk = (node: ChildNode, depth: number): void => {
    const space = INDENT.repeat(depth);
    if (!(node instanceof Element)) {
      const text = textOfNode(node);
      if (text !== '') lines.push(`${space}${text}`);
      return;
    }
    const attributes = [...node.attributes].map(
      ({ name, value }) => ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`,
    );
    const opening = `${space}<${node.nodeName}${attributes.join('')}`;
    const children = [...node.childNodes];
    const [only] = children;
    if (children.length === 0) lines.push(`${opening}/>`);
    else if (children.length === 1 && only?.nodeType === Node.TEXT_NODE)
      lines.push(`${opening}>${textOfNode(only)}</${node.nodeName}>`);
    else {
      lines.push(`${opening}>`);
      for (const child of children) walk(child, depth + 1);
      lines.push(`${space}</${node.nodeName}>`);
    }
  };
  for (const child of xml.childNodes) walk(child, 0);
  return lines.join('\n');
}

function textOfNode(node: ChildNode): string {
  const text = node.textContent ?? '';
  if (node.nodeType === Node.COMMENT_NODE) return `<!--${text}-->`;
  if (node.nodeType === Node.CDATA_SECTION_NODE) return `<![CDATA[${text}]]>`;
  if (node.nodeType === Node.PROCESSING_INSTRUCTION_NODE) return `<?${node.nodeName} ${text}?>`;
  return escaped(text.trim());
}
