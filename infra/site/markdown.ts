import { Marked, type RendererObject, type Token, type Tokens } from 'marked';

export type Section = {
  /** Of the section; empty before the first heading. */
  readonly heading: string;
  readonly depth: number;
  readonly anchor: string;
  readonly text: string;
};

type RenderOptions = {
  /** The address on the site of what a page links to, or nothing where it is not there: the text then stands alone. */
  readonly linkTo: (href: string) => string | undefined;
  /** The address of a picture. */
  readonly imageAt: (href: string) => string | undefined;
  /** What a table or a code block is called for a reader who scrolls it by keyboard. */
  readonly words: { readonly table: string; readonly code: string };
  /** A second anchor of headings, by the first. */
  readonly aliases?: ReadonlyMap<string, string>;
};

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** The text of tokens, without markup. */
const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === 'html') return '';
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((row) => row.map((cell) => textOf(cell.tokens)).join(' ')).join('\n');
      }
      if (token.type === 'list')
        return (token as Tokens.List).items.map((item) => textOf(item.tokens)).join('\n');
      if ('tokens' in token && token.tokens) return textOf(token.tokens);
      return 'text' in token
        ? unescapeText(String(token.text))
        : token.type === 'br'
          ? '\n'
          : token.type === 'space'
            ? '\n'
            : '';
    })
    .join('');

// Some tokens hold their text escaped already.
const unescapeText = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (whole) => Object.entries(ESCAPES).find(([, escaped]) => escaped === whole)?.[0] ?? whole,
  );

/** Names headings as GitHub does: lower case, no punctuation, dashes for spaces, and a number where one is taken. */
function anchors(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const times = taken.get(anchor) ?? 0;
    taken.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}

const lexer = new Marked({ gfm: true });

/**
 * The sections of a page, each from one heading to the next, as plain text.
 * @example sectionsOf('# Mail\n\nLetters.') // [{ heading: 'Mail', depth: 1, anchor: 'mail', text: 'Letters.' }]
 */
export function sectionsOf(markdown: string): Section[] {
  const anchorOf = anchors();
  const sections: { heading: string; depth: number; anchor: string; text: string }[] = [];
  for (const token of lexer.lexer(markdown)) {
    if (token.type === 'heading') {
      const heading = textOf(token.tokens ?? []);
      sections.push({ heading, depth: token.depth, anchor: anchorOf(heading), text: '' });
      continue;
    }
    if (sections.length === 0) sections.push({ heading: '', depth: 1, anchor: '', text: '' });
    const section = sections.at(-1);
    if (section) section.text += `${textOf([token])}\n`;
  }
  return sections.map((section) => ({ ...section, text: section.text.trim() }));
}

/**
 * A page as HTML. HTML in the Markdown is shown, never let through; headings have anchors, tables and code scroll alone.
 * @example renderMarkdown('See [mail](mail.md).', { linkTo, imageAt, words }) // '<p>See <a href="/docs/mail">mail</a>.</p>'
 */
export function renderMarkdown(markdown: string, options: RenderOptions): string {
  const { linkTo, imageAt, words, aliases } = options;
  const anchorOf = anchors();
  const renderer: RendererObject = {
    heading({ tokens, depth }) {
      const anchor = anchorOf(textOf(tokens));
      const alias = aliases?.get(anchor);
      const second = alias === undefined ? '' : `<span id="${escapeHtml(alias)}"></span>`;
      return `<h${depth} id="${escapeHtml(anchor)}">${second}${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code: ({ text, lang }) =>
      `<div class="code"><pre tabindex="0" role="group" aria-label="${escapeHtml(words.code)}"><code${lang ? ` class="language-${escapeHtml(lang)}"` : ''}>${escapeHtml(text)}</code></pre></div>\n`,
    // XSS: comments are for those who edit the page, and anything else is text.
    html: ({ text }) => (/^<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const target = linkTo(unescapeText(href));
      return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
    },
    image({ href, text }) {
      const source = imageAt(href);
      return source === undefined
        ? escapeHtml(text)
        : `<img src="${escapeHtml(source)}" alt="${escapeHtml(unescapeText(text))}" loading="lazy">`;
    },
    table({ header, rows }) {
      const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
        `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
      // Tables of commands have no names of columns.
      const isNamed = header.some(({ text }) => text !== '');
      const head = isNamed
        ? `<thead>${cells(header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</thead>`
        : '';
      return `<div class="wide-table" tabindex="0" role="group" aria-label="${escapeHtml(words.table)}"><table>${head}<tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>\n`;
    },
  };
  return new Marked({ gfm: true, renderer }).parse(markdown, { async: false });
}
