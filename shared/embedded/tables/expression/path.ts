import { invalid } from '../errors.ts';
import { type Item, typed, type Value } from '../values.ts';
import { isReserved } from './reserved-words.ts';
import type { Tokens } from './tokens.ts';

/** A document path: attribute names, and indexes of lists. Names may still be placeholders. */
export type Path = readonly (string | number)[];

/** Reads a path. @example parsePath(tokensOf('#a.b[2]', …)) // ['#a', 'b', 2] */
export function parsePath(tokens: Tokens, what: string): Path {
  const path: (string | number)[] = [nameIn(tokens, what)];
  for (;;) {
    if (tokens.takes('.')) path.push(nameIn(tokens, what));
    else if (tokens.takes('[')) {
      path.push(Number(tokens.expect('index').text));
      tokens.expect(']');
    } else return path;
  }
}

function nameIn(tokens: Tokens, what: string): string {
  const { kind, text } = tokens.peek();
  if (kind !== 'name' && kind !== 'word') return tokens.fail();
  if (kind === 'word' && isReserved(text))
    throw invalid(`Invalid ${what}: Attribute name is a reserved keyword; reserved keyword: ${text}`);
  tokens.next();
  return text;
}

/** The placeholders of one request, and which of them its expressions use. */
export type Bindings = {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Value>>;
};

/** A path with its names in place of their placeholders. */
export const resolvePath = (path: Path, { names }: Bindings): Path =>
  path.map((part) => {
    if (typeof part === 'number' || !part.startsWith('#')) return part;
    const name = names[part];
    if (name === undefined)
      throw invalid(
        `Invalid expression: An expression attribute name used in the document path is not defined; attribute name: ${part}`,
      );
    return name;
  });

export function boundValue(placeholder: string, { values }: Bindings): Value {
  const value = values[placeholder];
  if (value === undefined)
    throw invalid(
      `Invalid expression: An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
    );
  return value;
}

/** The value at a resolved path, if there is one. */
export function valueAt(item: Item, path: Path): Value | undefined {
  let value: Value | undefined = { M: item };
  for (const part of path) {
    if (value === undefined) return undefined;
    const [type, content] = typed(value);
    if (typeof part === 'number') value = type === 'L' ? (content as Value[])[part] : undefined;
    else value = type === 'M' && Object.hasOwn(content as Item, part) ? (content as Item)[part] : undefined;
  }
  return value;
}
