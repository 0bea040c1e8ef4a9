const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text for an element or an attribute. @example escapeXml('Maria & Filhos') // 'Maria &amp; Filhos' */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // XML 1.0 2.2 (Char): what is left out cannot be in a document, not even escaped.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

type Content = string | number | null | readonly Element[];
export type Element = { readonly name: string; readonly content: Content };

/** An element. One whose content is null is left out. @example element('Nome', 'Maria') */
export const element = (name: string, content: Content): Element => ({ name, content });

function write({ name, content }: Element): string {
  if (content === null) return '';
  const inner = typeof content === 'object' ? content.map(write).join('') : escapeXml(String(content));
  return `<${name}>${inner}</${name}>`;
}

/** A document with this root. @example writeXml(element('Diploma', [element('Aluno', 'Maria')])) */
export const writeXml = (root: Element): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${write(root)}\n`, 'utf8');
