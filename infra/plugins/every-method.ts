import { type Functions, httpOf, placeOf } from './framework.ts';

// API Gateway answers a known path with an unknown method by its own 403, "Missing Authentication Token".
// So each path of a service, and each folder on the way to it, also sends every other method to the
// service's refuse-unknown-route function, which answers in the service's own error style.

/** Adds the missing `any` events to each service's `<service>RefuseUnknownRoute` function. */
export function answerEveryMethod(functions: Functions): void {
  for (const [service, paths] of pathsByService(functions)) {
    const refuse = functions[`${service}RefuseUnknownRoute`];
    if (!refuse) continue;
    for (const [path, methods] of paths) {
      if (!methods.has('any')) refuse.events.push({ http: { path, method: 'any' } });
    }
  }
}

type Methods = Set<string>;

function pathsByService(functions: Functions): Map<string, Map<string, Methods>> {
  const services = new Map<string, Map<string, Methods>>();
  for (const [key, fn] of Object.entries(functions)) {
    const paths = getOrAdd(services, placeOf(key, fn).service, () => new Map<string, Methods>());
    for (const event of fn.events) {
      const http = httpOf(event);
      if (!http) continue;
      const path = http.path.replace(/^\/|\/$/g, '');
      for (const folder of foldersOf(path)) getOrAdd(paths, folder, () => new Set<string>());
      paths.get(path)?.add(http.method.toLowerCase());
    }
  }
  return services;
}

/** 'a/b/c' -> 'a', 'a/b', 'a/b/c': API Gateway makes a resource of each. */
const foldersOf = (path: string): string[] => {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
