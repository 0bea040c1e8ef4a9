import { Lexer, type Token, type Tokens, walkTokens } from 'marked';

/** Code or a table: lines that are the same in every language. */
export type Block = {
  readonly kind: 'code block' | 'table';
  readonly line: number;
  readonly lines: readonly string[];
};

/** A part of a page, from one heading to the next, without its prose. */
export type Part = {
  readonly heading: string;
  readonly depth: number;
  readonly line: number;
  readonly blocks: readonly Block[];
  readonly pictures: readonly string[];
  readonly links: readonly string[];
  /** Text in code marks: fields, codes, settings, commands. */
  readonly names: readonly string[];
  readonly numbers: readonly string[];
};

type Heading = Pick<Part, 'heading' | 'depth' | 'line'>;
type Placed = { readonly token: Token; readonly line: number };

/**
 * What a translation leaves as it is: levels of headings, code, the form of tables, pictures, links, names and numbers.
 * @example structureOf('# Mail\n\nSet `Mail:Smtp:Server`.') // [{ heading: 'Mail', depth: 1, names: ['Mail:Smtp:Server'], … }]
 */
export function structureOf(markdown: string): Part[] {
  const parts: (Heading & { inside: Placed[] })[] = [];
  let line = 1;
  for (const token of new Lexer({ gfm: true }).lex(markdown)) {
    if (token.type === 'heading') parts.push({ heading: token.text, depth: token.depth, line, inside: [] });
    else if (parts.length === 0) parts.push({ heading: '', depth: 0, line, inside: [] });
    parts.at(-1)?.inside.push({ token, line });
    line += token.raw.split('\n').length - 1;
  }
  return parts.map(({ inside, ...heading }) => ({
    ...heading,
    blocks: inside.flatMap(blocksOf),
    ...inlineOf(inside.map(({ token }) => token)),
  }));
}

/** The blocks of a paragraph, a list or themselves. One inside of a list has the line of the list. */
function blocksOf({ token: outer, line }: Placed): Block[] {
  const blocks: Block[] = [];
  walkTokens([outer], (token) => {
    if (token.type === 'code') {
      const { lang = '', text } = token as Tokens.Code;
      const lines = [`\`\`\`${lang}`, ...text.split('\n').map(withoutComment)];
      blocks.push({ kind: 'code block', line, lines });
    } else if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      // As the rows stand in the file: the line below the header has none.
      const lines = [header, [], ...rows].map((cells) => cells.map(formOf).join(' | '));
      blocks.push({ kind: 'table', line, lines });
    }
  });
  return blocks;
}

// A comment beside a command is prose.
const withoutComment = (line: string): string => line.replace(/(^|\s+)# .*$/, ' #').trimEnd();

/** A cell by the names in it, or by whether it says anything. */
function formOf({ text, tokens }: Tokens.TableCell): string {
  const names = inlineOf(tokens).names.map((name) => `\`${name}\``);
  return names.length > 0 ? names.join(' ') : text === '' ? 'empty' : 'text';
}

/** Each once and sorted: languages differ in the order of words. */
function inlineOf(tokens: Token[]): Pick<Part, 'pictures' | 'links' | 'names' | 'numbers'> {
  const found = {
    pictures: new Set<string>(),
    links: new Set<string>(),
    names: new Set<string>(),
    numbers: new Set<string>(),
  };
  walkTokens(tokens, (token) => {
    if (token.type === 'image') found.pictures.add(token.href);
    if (token.type === 'link') found.links.add(token.href);
    // A line may break inside of a name.
    if (token.type === 'codespan') found.names.add(token.text.replaceAll(/\s+/g, ' '));
    // 4,500,000 and 0.8 are 4.500.000 and 0,8 in Portuguese.
    if (token.type === 'text' && !('tokens' in token && token.tokens))
      for (const [number] of token.text.matchAll(/\d+([.,]\d+)*/g))
        found.numbers.add(number.replaceAll(/[.,]/g, ''));
  });
  return {
    pictures: [...found.pictures].toSorted(),
    links: [...found.links].toSorted(),
    names: [...found.names].toSorted(),
    numbers: [...found.numbers].toSorted(),
  };
}
