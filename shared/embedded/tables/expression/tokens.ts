import { invalid } from '../errors.ts';

/** `kind` of a symbol or keyword is the text itself: '(', '<=', 'AND'. */
export type Token = { readonly kind: string; readonly text: string };

const TOKEN = /\s*(?:(#[\w]+|:[\w]+)|([A-Za-z_][\w]*)|(\d+)|(<>|<=|>=|[()[\].,=<>+-]))/y;

/** A cursor over the tokens of an expression. */
export type Tokens = {
  readonly peek: (ahead?: number) => Token;
  readonly next: () => Token;
  /** Takes the next token if it is of this kind. */
  readonly takes: (kind: string) => boolean;
  readonly expect: (kind: string) => Token;
  readonly fail: () => never;
};

const END: Token = { kind: 'end', text: '<EOF>' };

/** Splits an expression. `keywords` are recognized in any case. */
export function tokensOf(expression: string, what: string, keywords: ReadonlySet<string>): Tokens {
  const tokens = split(expression, what, keywords);
  let at = 0;
  const peek = (ahead = 0): Token => tokens[at + ahead] ?? END;
  const fail = (): never => {
    throw invalid(`Invalid ${what}: Syntax error; token: "${peek().text}", near: "${nearby(tokens, at)}"`);
  };
  const next = (): Token => {
    const token = peek();
    at += 1;
    return token;
  };
  const takes = (kind: string): boolean => {
    if (peek().kind !== kind) return false;
    at += 1;
    return true;
  };
  return { peek, next, takes, fail, expect: (kind) => (peek().kind === kind ? next() : fail()) };
}

function split(expression: string, what: string, keywords: ReadonlySet<string>): Token[] {
  const tokens: Token[] = [];
  const text = expression.trimEnd();
  if (text === '') throw invalid(`Invalid ${what}: The expression can not be empty;`);
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match)
      throw invalid(
        `Invalid ${what}: Syntax error; token: "${text.slice(start).trim()[0]}", near: "${text.slice(start, start + 20)}"`,
      );
    const [, placeholder, word, index, symbol] = match;
    if (placeholder) tokens.push({ kind: placeholder.startsWith('#') ? 'name' : 'value', text: placeholder });
    else if (word)
      tokens.push({ kind: keywords.has(word.toUpperCase()) ? word.toUpperCase() : 'word', text: word });
    else if (index) tokens.push({ kind: 'index', text: index });
    else tokens.push({ kind: String(symbol), text: String(symbol) });
  }
  return tokens;
}

const nearby = (tokens: readonly Token[], at: number): string =>
  tokens
    .slice(Math.max(0, at - 1), at + 2)
    .map(({ text }) => text)
    .join(' ');
