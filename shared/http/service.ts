import { Problem } from '../errors/errors.ts';
import { MANUAL } from '../settings/settings.ts';
import type { Service, ServiceOptions } from './endpoint.ts';
import { makeEndpoint } from './make-endpoint.ts';

/**
 * Declares a service. Wrong settings fail here, before the first request.
 * @example export const session = service({ name: 'session', authenticate: apiKey('session'), errors, style: sessionStyle, ... });
 */
export function service<Code extends string, Policy extends string = never>(
  options: ServiceOptions<Code, Policy>,
): Service<Code, Policy> {
  options.settings[MANUAL].check();
  const self: Service<Code, Policy> = {
    ...options,
    basePath: `/${options.name}`,
    endpoint: (declaration, run) => makeEndpoint(self, declaration, run),
    refuseUnknownRoute: (refusalPage) =>
      makeEndpoint(
        self,
        {
          route: 'ANY /{proxy+}',
          summary: 'Unknown routes',
          answers: {},
          access: 'public',
          undocumented: true,
          ...(refusalPage && { refusalPage }),
        },
        async ({ method, path }) => {
          throw new Problem('noRoute', { method, path });
        },
      ),
  };
  return self;
}
