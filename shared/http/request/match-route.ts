/** The names in a route: `id` of `jobs/{id}`. */
export type Params = Readonly<Record<string, string>>;

/**
 * Finds what is at a path, by routes with names in braces, and the values of these names. No path matches two routes.
 * @example matchRoute({ 'jobs/{id}': showJob }, 'jobs/6f1b…') // { found: showJob, params: { id: '6f1b…' } }
 */
export function matchRoute<T>(
  routes: Readonly<Record<string, T>>,
  path: string,
): { readonly found: T; readonly params: Params } | undefined {
  for (const [route, found] of Object.entries(routes)) {
    const params = paramsOf(route, path);
    if (params) return { found, params };
  }
  return undefined;
}

function paramsOf(route: string, path: string): Params | undefined {
  const [expected, given] = [route.split('/'), path.split('/')];
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    const value = given[index] ?? '';
    if (name === undefined ? part !== value : value === '') return undefined;
    if (name !== undefined) params[name] = value;
  }
  return params;
}
