import { invalid } from '../errors.ts';
import { checked, type Item, type Value } from '../values.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type Bindings, type Path, parsePath, resolvePath, valueAt } from './path.ts';
import { tokensOf } from './tokens.ts';
import { parseUpdate, type Update } from './update.ts';

// Our expressions are a few hundred texts. What is more is somebody's own, and is parsed again.
const MAX_KEPT = 2_000;

/** Parses each text once. */
const once = <T>(parse: (expression: string) => T) => {
  const kept = new Map<string, T>();
  return (expression: string): T => {
    const found = kept.get(expression);
    if (found) return found;
    const parsed = parse(expression);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(expression, parsed);
    return parsed;
  };
};

/** The placeholders that the expressions of a request have, which is their key. */
const placeholdersIn = once((expressions) => new Set(expressions.match(/[#:]\w+/g)));

export const conditionOf = once<Condition>((text) => parseCondition(text, 'ConditionExpression'));
export const filterOf = once<Condition>((text) => parseCondition(text, 'FilterExpression'));
export const keyConditionOf = once<Condition>((text) => parseCondition(text, 'KeyConditionExpression'));
export const updateOf = once<Update>(parseUpdate);
export const projectionOf = once<readonly Path[]>((text) => {
  const tokens = tokensOf(text, 'ProjectionExpression', new Set());
  const paths = [parsePath(tokens, 'ProjectionExpression')];
  while (tokens.takes(',')) paths.push(parsePath(tokens, 'ProjectionExpression'));
  if (tokens.peek().kind !== 'end') tokens.fail();
  return paths;
});

type Placeholders = {
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, Value> | undefined;
};

/** The placeholders of a request. One that no expression uses is refused, as DynamoDB does. */
export function bindingsOf(request: Placeholders, expressions: readonly (string | undefined)[]): Bindings {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = request;
  const used = placeholdersIn(expressions.join(' '));
  refuseUnused('Names', names, used);
  refuseUnused('Values', values, used);
  const checkedValues: Record<string, Value> = {};
  for (const placeholder in values) checkedValues[placeholder] = checked(values[placeholder] as Value);
  return { names, values: checkedValues };
}

function refuseUnused(what: string, given: object, used: ReadonlySet<string>): void {
  const unused = Object.keys(given).filter((placeholder) => !used.has(placeholder));
  if (unused.length > 0)
    throw invalid(
      `Value provided in ExpressionAttribute${what} unused in expressions: keys: {${unused.join(', ')}}`,
    );
}

/** The attributes of an item that a projection names. */
export function project(item: Item, paths: readonly Path[], bindings: Bindings): Item {
  const result: Record<string, Value> = {};
  for (const path of paths.map((each) => resolvePath(each, bindings))) {
    const value = valueAt(item, path);
    if (value !== undefined) place(result, path, value);
  }
  return result;
}

// A nested value stands in the maps and lists around it. Elements of a list close up.
function place(result: Record<string, Value>, path: Path, value: Value): void {
  let parent: Record<string, Value> | Value[] = result;
  path.forEach((part, depth) => {
    const isLast = depth === path.length - 1;
    const next: Value = isLast ? value : typeof path[depth + 1] === 'number' ? { L: [] } : { M: {} };
    const known: Value | undefined = Array.isArray(parent) ? undefined : parent[part];
    const kept: Value = isLast ? next : (known ?? next);
    if (Array.isArray(parent)) parent.push(kept);
    else parent[part] = kept;
    if (!isLast) parent = (kept.M ?? kept.L) as Record<string, Value> | Value[];
  });
}
