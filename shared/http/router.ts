import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { logger } from '../log/logger.ts';
import type { HostEvent } from './call.ts';
import type { Route } from './declaration.ts';
import type { Endpoint, Service } from './endpoint.ts';
import { matchRoute } from './request/match-route.ts';

/** The endpoints of one function, by their routes. */
type Routes = Readonly<Record<Route, () => Promise<{ readonly handler: Endpoint }>>>;

/** The handler of a function that has several endpoints, with its routes for the tests. */
export type Router = ((event: HostEvent, context: Context) => Promise<APIGatewayProxyResult>) & {
  readonly routes: Routes;
};

// Takes what no other route does.
const REST: Route = 'ANY /{proxy+}';

// The end of a folder of paths that a function takes whole: see infra/plugins/fold-paths.ts.
const FOLDED = /\/\{proxy\+\}$/;

/**
 * Makes one function of several endpoints. The host has matched the path, and the event names the route: it is looked up
 * and not searched for. An endpoint is loaded when it is first called, so that a cold start reads one of them. All answers
 * of a function are whole: Lambda streams all of them, or none.
 *
 * Where the host hands over a whole folder of paths the route is searched for, and `unknown` answers what is none.
 * @example export const handler = routeTo(hub, { 'GET /healthz': () => import('../endpoints/get-health.ts') });
 */
export function routeTo(service: Service, routes: Routes, unknown?: Endpoint): Router {
  const log = logger(service.name);
  const pathOf = (resource: string): string =>
    resource.slice(service.basePath.length).replace(/\/$/, '') || '/';
  const routeAt = (method: string, path: string): Route | undefined => {
    // The endpoint of a GET gets every method that no other one has: see infra/plugins/every-method.ts.
    const candidates = [`${method} ${path}`, `GET ${path}`] as Route[];
    return candidates.find((each) => each in routes);
  };
  // As a gateway chooses: a part that is written out comes before one that takes any value.
  const paths = Object.fromEntries(
    Object.keys(routes)
      .map((route) => route.replace(/^\w+ /, ''))
      .toSorted((one, other) => (fixedFirst(one) < fixedFirst(other) ? -1 : 1))
      .map((path) => [path, path]),
  );

  /** The event as a host hands it over that knows every path. */
  function unfold(event: HostEvent): HostEvent {
    if (!unknown || !FOLDED.test(event.resource)) return event;
    const rest = event.pathParameters?.proxy ?? '';
    const matched = matchRoute(paths, pathOf(event.resource.replace(FOLDED, `/${rest}`)));
    if (!matched) return event;
    return {
      ...event,
      resource: `${service.basePath}${matched.found}`,
      pathParameters: { ...matched.params },
    };
  }

  const handler = async (given: HostEvent, context: Context) => {
    const event = unfold(given);
    const { httpMethod: method, resource } = event;
    const route = routeAt(method, pathOf(resource)) ?? (REST in routes ? REST : undefined);
    const load = route && routes[route];
    if (!load && unknown) return unknown(event, context);
    if (!load) throw new Error(`There is no endpoint for ${method} ${resource} in this function.`);
    const { handler: endpoint } = await load().catch((error) => {
      log.error('endpoint not loaded', { route, error });
      throw error;
    });
    return endpoint(event, context);
  };
  return Object.assign(handler, { routes });
}

const fixedFirst = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '\uffff');
