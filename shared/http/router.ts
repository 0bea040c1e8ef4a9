import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { logger } from '../log/logger.ts';
import type { HostEvent } from './call.ts';
import type { Route } from './declaration.ts';
import type { Endpoint, Service } from './endpoint.ts';

/** The endpoints of one function, by their routes. */
type Routes = Readonly<Record<Route, () => Promise<{ readonly handler: Endpoint }>>>;

/** The handler of a function that has several endpoints, with its routes for the tests. */
export type Router = ((event: HostEvent, context: Context) => Promise<APIGatewayProxyResult>) & {
  readonly routes: Routes;
};

// Takes what no other route does.
const REST: Route = 'ANY /{proxy+}';

/**
 * Makes one function of several endpoints. The host has matched the path, and the event names the route: it is looked up
 * and not searched for. An endpoint is loaded when it is first called, so that a cold start reads one of them. All answers
 * of a function are whole: Lambda streams all of them, or none.
 * @example export const handler = routeTo(hub, { 'GET /healthz': () => import('../endpoints/get-health.ts') });
 */
export function routeTo(service: Service, routes: Routes): Router {
  const log = logger(service.name);
  const handler = async (event: HostEvent, context: Context) => {
    const { httpMethod: method, resource } = event;
    const path = resource.slice(service.basePath.length).replace(/\/$/, '') || '/';
    // The endpoint of a GET gets every method that no other one has: see infra/plugins/every-method.ts.
    const candidates = [`${method} ${path}`, `GET ${path}`, REST] as Route[];
    const route = candidates.find((each) => each in routes);
    const load = route && routes[route];
    if (!load) throw new Error(`There is no endpoint for ${method} ${resource} in this function.`);
    const { handler: endpoint } = await load().catch((error) => {
      log.error('endpoint not loaded', { route, error });
      throw error;
    });
    return endpoint(event, context);
  };
  return Object.assign(handler, { routes });
}
