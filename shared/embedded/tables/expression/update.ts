import { invalid } from '../errors.ts';
import { addNumbers, equals, type Item, negate, typed, type Value } from '../values.ts';
import { type Bindings, boundValue, type Path, parsePath, resolvePath, valueAt } from './path.ts';
import { type Tokens, tokensOf } from './tokens.ts';

type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly placeholder: string }
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: Operand }
  | { readonly kind: 'list_append'; readonly first: Operand; readonly second: Operand }
  | { readonly kind: 'sum'; readonly sign: '+' | '-'; readonly left: Operand; readonly right: Operand };

type Action =
  | { readonly kind: 'set'; readonly path: Path; readonly to: Operand }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'add' | 'delete'; readonly path: Path; readonly placeholder: string };

export type Update = readonly Action[];

const CLAUSES = new Set(['SET', 'REMOVE', 'ADD', 'DELETE']);
const WHAT = 'UpdateExpression';

export function parseUpdate(expression: string): Update {
  const tokens = tokensOf(expression, WHAT, CLAUSES);
  const actions: Action[] = [];
  const seen = new Set<string>();
  while (tokens.peek().kind !== 'end') {
    const { kind } = tokens.next();
    if (!CLAUSES.has(kind)) tokens.fail();
    if (seen.has(kind))
      throw invalid(`Invalid ${WHAT}: The "${kind}" section can only be used once in an update expression;`);
    seen.add(kind);
    do actions.push(parseAction(kind, tokens));
    while (tokens.takes(','));
  }
  return actions;
}

function parseAction(clause: string, tokens: Tokens): Action {
  const path = parsePath(tokens, WHAT);
  if (clause === 'REMOVE') return { kind: 'remove', path };
  if (clause !== 'SET')
    return { kind: clause === 'ADD' ? 'add' : 'delete', path, placeholder: tokens.expect('value').text };
  tokens.expect('=');
  const left = parseOperand(tokens);
  for (const sign of ['+', '-'] as const)
    if (tokens.takes(sign))
      return { kind: 'set', path, to: { kind: 'sum', sign, left, right: parseOperand(tokens) } };
  return { kind: 'set', path, to: left };
}

function parseOperand(tokens: Tokens): Operand {
  const { kind, text } = tokens.peek();
  if (kind === 'value') {
    tokens.next();
    return { kind: 'value', placeholder: text };
  }
  if (kind !== 'word' || tokens.peek(1).kind !== '(') return { kind: 'path', path: parsePath(tokens, WHAT) };
  tokens.next();
  tokens.expect('(');
  const operand = parseArguments(text, tokens);
  tokens.expect(')');
  return operand;
}

function parseArguments(name: string, tokens: Tokens): Operand {
  if (name === 'if_not_exists') {
    const path = parsePath(tokens, WHAT);
    tokens.expect(',');
    return { kind: name, path, otherwise: parseOperand(tokens) };
  }
  if (name !== 'list_append') throw invalid(`Invalid ${WHAT}: Invalid function name; function: ${name}`);
  const first = parseOperand(tokens);
  tokens.expect(',');
  return { kind: name, first, second: parseOperand(tokens) };
}

/** The paths that an update changes. Refuses two that overlap, and those that begin with a key. */
export function changedPaths(
  update: Update,
  bindings: Bindings,
  keyNames: readonly string[],
): readonly Path[] {
  const paths = update.map(({ path }) => resolvePath(path, bindings));
  for (const [name] of paths)
    if (keyNames.includes(String(name)))
      throw invalid(
        `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
      );
  paths.forEach((path, index) => {
    for (const other of paths.slice(0, index)) refuseOverlap(path, other);
  });
  return paths;
}

function refuseOverlap(path: Path, other: Path): void {
  const depth = Math.min(path.length, other.length);
  for (let at = 0; at < depth; at++) if (path[at] !== other[at]) return;
  throw invalid(
    `Invalid ${WHAT}: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [${other.join(', ')}], path two: [${path.join(', ')}]`,
  );
}

/** The item after an update. Values that it reads are those from before. */
export function applyUpdate(update: Update, paths: readonly Path[], item: Item, bindings: Bindings): Item {
  const result = copyFor(paths, item);
  // Later elements of a list are removed first, so that the earlier ones keep their place.
  const removals: Path[] = [];
  update.forEach((action, index) => {
    const path = paths[index] as Path;
    if (action.kind === 'remove') removals.push(path);
    else if (action.kind === 'set') put(result, path, evaluate(action.to, item, bindings));
    else {
      const changed = combine(action.kind, valueAt(item, path), boundValue(action.placeholder, bindings));
      if (changed) put(result, path, changed);
      else removals.push(path);
    }
  });
  for (const path of removals.sort(lastFirst)) remove(result, path);
  return result;
}

// Attributes that are changed inside are copied; the others are those of the item.
function copyFor(paths: readonly Path[], item: Item): Record<string, Value> {
  const copy: Record<string, Value> = { ...item };
  for (const [name, ...inside] of paths)
    if (inside.length > 0 && item[String(name)])
      copy[String(name)] = structuredClone(item[String(name)] as Value);
  return copy;
}

const lastFirst = (a: Path, b: Path): number => Number(b.at(-1)) - Number(a.at(-1)) || 0;

function evaluate(operand: Operand, item: Item, bindings: Bindings): Value {
  switch (operand.kind) {
    case 'value':
      return boundValue(operand.placeholder, bindings);
    case 'path': {
      const found = valueAt(item, resolvePath(operand.path, bindings));
      if (found) return found;
      throw invalid('The provided expression refers to an attribute that does not exist in the item');
    }
    case 'if_not_exists':
      return (
        valueAt(item, resolvePath(operand.path, bindings)) ?? evaluate(operand.otherwise, item, bindings)
      );
    case 'list_append':
      return {
        L: [operand.first, operand.second].flatMap(
          (each) => contentOf(evaluate(each, item, bindings), 'L') as Value[],
        ),
      };
    case 'sum': {
      const left = contentOf(evaluate(operand.left, item, bindings), 'N') as string;
      const right = contentOf(evaluate(operand.right, item, bindings), 'N') as string;
      return { N: addNumbers(left, operand.sign === '+' ? right : negate(right)) };
    }
  }
}

function contentOf(value: Value, type: 'L' | 'N'): unknown {
  if (value[type] === undefined)
    throw invalid('An operand in the update expression has an incorrect data type');
  return value[type];
}

/** ADD to a number or a set, or DELETE from a set. Undefined where nothing is left. */
function combine(kind: 'add' | 'delete', before: Value | undefined, by: Value): Value | undefined {
  const [type, content] = typed(by);
  const isSet = type === 'SS' || type === 'NS' || type === 'BS';
  if (!isSet && !(kind === 'add' && type === 'N'))
    throw invalid(
      `Invalid ${WHAT}: Incorrect operand type for operator or function; operator: ${kind.toUpperCase()}, operand type: ${type}`,
    );
  if (before === undefined) return kind === 'add' ? by : undefined;
  if (before[type] === undefined)
    throw invalid('An operand in the update expression has an incorrect data type');
  if (type === 'N') return { N: addNumbers(before.N as string, content as string) };
  const members = before[type] as string[];
  const named = content as string[];
  if (kind === 'add') return { [type]: [...new Set([...members, ...named])] };
  const left = members.filter((member) => !named.some((each) => equals({ S: each }, { S: member })));
  return left.length > 0 ? { [type]: left } : undefined;
}

const missing = () => invalid('The document path provided in the update expression is invalid for update');

function parentOf(item: Record<string, Value>, path: Path): unknown[] | Record<string, Value> {
  const found = valueAt(item, path.slice(0, -1));
  const content = found?.M ?? found?.L;
  if (content === undefined || Array.isArray(content) !== (typeof path.at(-1) === 'number')) throw missing();
  return content as unknown[] | Record<string, Value>;
}

function put(item: Record<string, Value>, path: Path, value: Value): void {
  const parent = parentOf(item, path);
  const last = path.at(-1) as string | number;
  if (Array.isArray(parent)) parent[Math.min(Number(last), parent.length)] = value;
  else parent[last] = value;
}

function remove(item: Record<string, Value>, path: Path): void {
  const parent = parentOf(item, path);
  const last = path.at(-1) as string | number;
  if (!Array.isArray(parent)) delete parent[last];
  else if (Number(last) < parent.length) parent.splice(Number(last), 1);
}
