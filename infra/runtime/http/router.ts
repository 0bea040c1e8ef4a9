import type { Route } from './routes.ts';

/** A route that a request leads to, and its path parameters percent-encoded, as API Gateway hands them on. */
export type Match = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

type Node = {
  readonly fixed: Map<string, Node>;
  /** `{id}`: one part of the path. */
  any?: { readonly name: string; readonly node: Node };
  /** `{path+}`: all that is left. */
  rest?: { readonly name: string; readonly node: Node };
  readonly routes: Map<string, Route>;
};

const newNode = (): Node => ({ fixed: new Map(), routes: new Map() });

/**
 * Finds routes as API Gateway does: the most exact path wins, whatever the order, and a slash at the end means nothing.
 * The path is percent-encoded; throws URIError where it is not well so.
 * @example const find = createRouter(routes); find('GET', '/session/v1/sessions/status')
 */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match | undefined {
  const root = newNode();
  for (const route of routes) nodeAt(root, partsOf(route.path)).routes.set(route.method, route);
  return (method, path) => {
    const parts = partsOf(path).map(decodeURIComponent);
    return search(root, parts, 0, method, {});
  };
}

function partsOf(path: string): string[] {
  const trimmed = path.replace(/^\/|\/$/g, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

function nodeAt(root: Node, parts: readonly string[]): Node {
  return parts.reduce((node, part) => {
    const [, name, plus] = /^\{(\w+)(\+?)\}$/.exec(part) ?? [];
    if (name === undefined) {
      const next = node.fixed.get(part) ?? newNode();
      node.fixed.set(part, next);
      return next;
    }
    const kind = plus ? 'rest' : 'any';
    node[kind] ??= { name, node: newNode() };
    // Two names for one place: the first function's name would be missing to the other one.
    if (node[kind].name !== name) throw new Error(`{${node[kind].name}} and {${name}} are at one place.`);
    return node[kind].node;
  }, root);
}

type Params = Match['params'];

function search(
  node: Node,
  parts: readonly string[],
  at: number,
  method: string,
  params: Params,
): Match | undefined {
  const part = parts[at];
  if (part === undefined) {
    const route = node.routes.get(method) ?? node.routes.get('ANY');
    return route && { route, params };
  }
  const fixed = node.fixed.get(part);
  const found = fixed && search(fixed, parts, at + 1, method, params);
  if (found) return found;
  if (node.any && part !== '') {
    const named = { ...params, [node.any.name]: encodeURIComponent(part) };
    const match = search(node.any.node, parts, at + 1, method, named);
    if (match) return match;
  }
  if (!node.rest) return undefined;
  const rest = parts.slice(at).map(encodeURIComponent).join('/');
  return search(node.rest.node, parts, parts.length, method, { ...params, [node.rest.name]: rest });
}
