import { invalid } from '../errors.ts';
import { compare, equals, type Item, typed, type Value, valueBytes } from '../values.ts';
import { type Bindings, boundValue, type Path, parsePath, resolvePath, valueAt } from './path.ts';
import { type Tokens, tokensOf } from './tokens.ts';

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly placeholder: string }
  | { readonly kind: 'size'; readonly path: Path };

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'compare'; readonly by: string; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'between'; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly options: readonly Operand[] }
  | { readonly kind: 'call'; readonly name: string; readonly path: Path; readonly argument?: Operand };

const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN']);
const COMPARATORS = new Set(['=', '<>', '<', '<=', '>', '>=']);
const FUNCTIONS = new Map([
  ['attribute_exists', 1],
  ['attribute_not_exists', 1],
  ['attribute_type', 2],
  ['begins_with', 2],
  ['contains', 2],
]);

/** Reads a condition, filter or key condition. `what` names it in errors. */
export function parseCondition(expression: string, what: string): Condition {
  const tokens = tokensOf(expression, what, KEYWORDS);
  const condition = parseOr(tokens, what);
  if (tokens.peek().kind !== 'end') tokens.fail();
  return condition;
}

const parseOr = (tokens: Tokens, what: string): Condition =>
  parseList('or', 'OR', tokens, () => parseList('and', 'AND', tokens, () => parseNot(tokens, what)));

function parseList(kind: 'and' | 'or', keyword: string, tokens: Tokens, parse: () => Condition): Condition {
  const parts = [parse()];
  while (tokens.takes(keyword)) parts.push(parse());
  return parts.length === 1 ? (parts[0] as Condition) : { kind, parts };
}

function parseNot(tokens: Tokens, what: string): Condition {
  if (tokens.takes('NOT')) return { kind: 'not', part: parseNot(tokens, what) };
  if (tokens.takes('(')) {
    if (isGroup(tokens)) throw invalid(`Invalid ${what}: The expression has redundant parentheses;`);
    const inner = parseOr(tokens, what);
    tokens.expect(')');
    return inner;
  }
  return isCall(tokens) ? parseCall(tokens, what) : parseComparison(tokens, what);
}

/** Whether all until the next closing parenthesis is in parentheses of its own. */
function isGroup(tokens: Tokens): boolean {
  if (tokens.peek().kind !== '(') return false;
  let [ahead, depth] = [0, 0];
  do {
    const { kind } = tokens.peek(ahead);
    if (kind === 'end') return false;
    depth += kind === '(' ? 1 : kind === ')' ? -1 : 0;
    ahead += 1;
  } while (depth > 0);
  return tokens.peek(ahead).kind === ')';
}

const isCall = (tokens: Tokens): boolean =>
  tokens.peek().kind === 'word' && tokens.peek(1).kind === '(' && tokens.peek().text !== 'size';

function parseCall(tokens: Tokens, what: string): Condition {
  const { text: name } = tokens.next();
  const count = FUNCTIONS.get(name);
  if (count === undefined) throw invalid(`Invalid ${what}: Invalid function name; function: ${name}`);
  tokens.expect('(');
  const path = parsePath(tokens, what);
  if (count === 1) {
    tokens.expect(')');
    return { kind: 'call', name, path };
  }
  tokens.expect(',');
  const argument = parseOperand(tokens, what);
  tokens.expect(')');
  return { kind: 'call', name, path, argument };
}

function parseComparison(tokens: Tokens, what: string): Condition {
  const left = parseOperand(tokens, what);
  if (tokens.takes('BETWEEN')) {
    const low = parseOperand(tokens, what);
    tokens.expect('AND');
    return { kind: 'between', operand: left, low, high: parseOperand(tokens, what) };
  }
  if (tokens.takes('IN')) {
    tokens.expect('(');
    const options = [parseOperand(tokens, what)];
    while (tokens.takes(',')) options.push(parseOperand(tokens, what));
    tokens.expect(')');
    return { kind: 'in', operand: left, options };
  }
  const { kind: by } = tokens.peek();
  if (!COMPARATORS.has(by)) tokens.fail();
  tokens.next();
  return { kind: 'compare', by, left, right: parseOperand(tokens, what) };
}

function parseOperand(tokens: Tokens, what: string): Operand {
  const { kind, text } = tokens.peek();
  if (kind === 'value') {
    tokens.next();
    return { kind: 'value', placeholder: text };
  }
  if (text === 'size' && tokens.peek(1).kind === '(') {
    tokens.next();
    tokens.expect('(');
    const path = parsePath(tokens, what);
    tokens.expect(')');
    return { kind: 'size', path };
  }
  return { kind: 'path', path: parsePath(tokens, what) };
}

/** Whether an item meets a condition. No item is an item without attributes. */
export function meets(condition: Condition, item: Item, bindings: Bindings): boolean {
  const value = (operand: Operand): Value | undefined => operandOf(operand, item, bindings);
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => meets(part, item, bindings));
    case 'or':
      return condition.parts.some((part) => meets(part, item, bindings));
    case 'not':
      return !meets(condition.part, item, bindings);
    case 'compare':
      return holds(condition.by, value(condition.left), value(condition.right));
    case 'between': {
      const found = value(condition.operand);
      return holds('>=', found, value(condition.low)) && holds('<=', found, value(condition.high));
    }
    case 'in': {
      const found = value(condition.operand);
      return condition.options.some((option) => holds('=', found, value(option)));
    }
    case 'call':
      return callHolds(condition, item, bindings);
  }
}

function operandOf(operand: Operand, item: Item, bindings: Bindings): Value | undefined {
  if (operand.kind === 'value') return boundValue(operand.placeholder, bindings);
  const found = valueAt(item, resolvePath(operand.path, bindings));
  return operand.kind === 'path' || found === undefined ? found : sizeOf(found);
}

// Of a text its units of UTF-16, of binary its bytes, of lists, maps and sets their elements.
function sizeOf(value: Value): Value | undefined {
  const [type, content] = typed(value);
  if (type === 'S') return { N: String((content as string).length) };
  if (type === 'B') return { N: String(valueBytes(value)) };
  if (type === 'N' || type === 'BOOL' || type === 'NULL') return undefined;
  return { N: String(Object.keys(content as object).length) };
}

function holds(by: string, left: Value | undefined, right: Value | undefined): boolean {
  if (left === undefined || right === undefined) return by === '<>';
  if (by === '=') return equals(left, right);
  if (by === '<>') return !equals(left, right);
  const order = compare(left, right);
  if (order === undefined) return false;
  return by === '<' ? order < 0 : by === '<=' ? order <= 0 : by === '>' ? order > 0 : order >= 0;
}

function callHolds(call: Condition & { kind: 'call' }, item: Item, bindings: Bindings): boolean {
  const found = valueAt(item, resolvePath(call.path, bindings));
  if (call.name === 'attribute_exists') return found !== undefined;
  if (call.name === 'attribute_not_exists') return found === undefined;
  const argument = call.argument && operandOf(call.argument, item, bindings);
  if (found === undefined || argument === undefined) return false;
  const [type, content] = typed(found);
  const [other, wanted] = typed(argument);
  if (call.name === 'attribute_type') return type === wanted;
  if (call.name === 'begins_with')
    return (
      type === other && (type === 'S' || type === 'B') && bytesOf(found).indexOf(bytesOf(argument)) === 0
    );
  if (type === 'L') return (content as Value[]).some((each) => equals(each, argument));
  if (type === 'S' || type === 'B') return type === other && bytesOf(found).includes(bytesOf(argument));
  return type === `${other}S` && (content as string[]).includes(wanted as string);
}

const bytesOf = ({ S, B }: Value): Buffer =>
  S === undefined ? Buffer.from(B as string, 'base64') : Buffer.from(S as string);
