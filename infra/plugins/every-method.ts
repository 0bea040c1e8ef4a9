import { type FunctionEvent, type Functions, httpOf, placeOf } from './framework.ts';

// API Gateway answers a known path with an unknown method by its own 403, "Missing Authentication Token", and HEAD is
// unknown where only GET is declared. So each path of a service, and each folder on the way to it, takes every method:
//
//   a path with a GET      its function takes all that no other function has. It answers HEAD like GET, without the body,
//                          and refuses the rest in the service's own error style
//   any other path         the function that has the service's `{proxy+}` takes the rest
//
// A method is a resource of the stack, so HEAD costs none.

/** Turns each GET into `any`, and has the function of each service's `any {proxy+}` take `any` everywhere else. */
export function answerEveryMethod(functions: Functions): void {
  for (const fn of Object.values(functions)) fn.events = fn.events.map(withHead);
  for (const [service, paths] of pathsByService(functions)) {
    const refuse = Object.values(functions).find(({ events }) => events.some(takesAllBelow(service)));
    if (!refuse) continue;
    for (const [path, methods] of paths) {
      if (!methods.has('any')) refuse.events.push({ http: { path, method: 'any' } });
    }
  }
}

const trimSlashes = (path: string): string => path.replace(/^\/|\/$/g, '');

const takesAllBelow =
  (service: string) =>
  (event: FunctionEvent): boolean => {
    const http = httpOf(event);
    return http?.method.toLowerCase() === 'any' && trimSlashes(http.path) === `${service}/{proxy+}`;
  };

function withHead(event: FunctionEvent): FunctionEvent {
  const http = httpOf(event);
  return http?.method.toLowerCase() === 'get' ? { ...event, http: { ...http, method: 'any' } } : event;
}

type Methods = Set<string>;

function pathsByService(functions: Functions): Map<string, Map<string, Methods>> {
  const services = new Map<string, Map<string, Methods>>();
  for (const [key, fn] of Object.entries(functions)) {
    const paths = getOrAdd(services, placeOf(key, fn).service, () => new Map<string, Methods>());
    for (const event of fn.events) {
      const http = httpOf(event);
      if (!http) continue;
      const path = trimSlashes(http.path);
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
