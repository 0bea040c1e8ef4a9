// Answers that no function gave, of the local engine and of the host: to requests that no route takes, and for a function
// that failed. On AWS the gateway answers them in the style of the service; see infra/plugins/gateway-answers.ts.
import { randomUUID } from 'node:crypto';
import { Problem, type Situation } from '../../../shared/errors/errors.ts';
import type { Service } from '../../../shared/http/endpoint.ts';
import { refusalOf } from '../../../shared/http/refusal-of.ts';
import { accepts } from '../../../shared/http/request/accepts.ts';
import { isLocal, SERVICES, type ServiceName } from '../../../shared/settings/names.ts';
import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';

export type Refused = { status: number; headers: Record<string, string>; body: string };

const SITUATIONS: Readonly<Record<number, Situation>> = {
  404: 'noRoute',
  408: 'tooSlow',
  413: 'tooLarge',
  415: 'unsupportedMedia',
  503: 'unavailable',
};

/**
 * The answer that replaces a bare status.
 * @example await refuseAsGateway('GET', '/session/%ff', 400) // { status: 400, body: '{"error":{"code":"INVALID_REQUEST",…' }
 */
export async function refuseAsGateway(
  method: string,
  path: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Refused> {
  const correlationId = randomUUID();
  const name = serviceAt(path);
  if (!name)
    return accepts(headers.accept, 'text/html') ? noPage(headers, correlationId) : noService(correlationId);
  const service = await load(name);
  const situation = SITUATIONS[status] ?? (status >= 500 ? 'unexpected' : 'invalid');
  const details = situation === 'noRoute' ? { method, path } : undefined;
  const refusal = refusalOf(service, new Problem(situation, details));
  const body = service.style.render(refusal, { correlationId, path, production: !isLocal() });
  return {
    status: refusal.status,
    headers: {
      ...headersOf(correlationId, service.style.mediaTypeFor?.(refusal.status) ?? service.jsonTypes?.[0]),
      ...refusal.headers,
    },
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

const noService = (correlationId: string): Refused => ({
  status: 404,
  headers: headersOf(correlationId),
  body: JSON.stringify({
    message: `No service is at this path.${isLocal() ? ' The home page at / lists the services.' : ''}`,
  }),
});

async function noPage(headers: Readonly<Record<string, string>>, correlationId: string): Promise<Refused> {
  const showNoPage = unknownRoutePage(isLocal() ? '/' : undefined);
  const { body, ...answer } = await showNoPage({ status: 404 }, { query: {}, headers, cookies: {} });
  return {
    status: 404,
    headers: { ...headersOf(correlationId), ...answer.headers },
    body: body.kind === 'text' ? body.text : '',
  };
}

const headersOf = (correlationId: string, mediaType = 'application/json') => ({
  'cache-control': 'no-store',
  'content-type': `${mediaType}; charset=utf-8`,
  'x-content-type-options': 'nosniff',
  'x-correlation-id': correlationId,
});

const serviceAt = (path: string): ServiceName | undefined => {
  const [, first] = path.split(/[/?#]/);
  const names: readonly ServiceName[] = isLocal() ? [...SERVICES, 'sandbox'] : SERVICES;
  return path.startsWith('/') ? names.find((name) => name === first) : undefined;
};

async function load(name: ServiceName): Promise<Service> {
  const module: Record<string, Service> = await import(`../../../functions/${name}/service.ts`);
  const service = module[name];
  if (!service) throw new Error(`functions/${name}/service.ts does not export ${name}.`);
  return service;
}
