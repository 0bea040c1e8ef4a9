import { Problem } from '../errors/errors.ts';
import { pageForm, readForm } from '../http/body/page-form.ts';
import type { Endpoint, Service } from '../http/endpoint.ts';
import type { MembersOrganization } from '../members/sessions.ts';
import { consoleDeclaration, memberEndpoints } from './http/member-visit.ts';
import { findPageOfForm, findRoute, type Sections } from './routes.ts';
import type { Visit } from './visit.ts';

type ConsoleOptions<
  Role extends string,
  Operation extends string,
  Organization extends MembersOrganization,
> = Parameters<typeof memberEndpoints<never, never, Role, Organization>>[1] & {
  readonly sections: Sections<Visit<Role, Organization>, Operation>;
  readonly mayDo: (role: Role, operation: Operation) => boolean;
};

/** Every page of a console, by one route: each path of its own would be resources of the stack, which has a limit. */
export const showPageEndpoint = <
  Code extends string,
  Policy extends string,
  Role extends string,
  Operation extends string,
  Organization extends MembersOrganization,
>(
  service: Service<Code, Policy>,
  options: ConsoleOptions<Role, Operation, Organization>,
): Endpoint =>
  memberEndpoints(service, options)(
    {
      route: 'GET /console',
      aliases: ['GET /console/{path+}'],
      summary: 'A page of the console',
      ...consoleDeclaration(service),
    },
    async ({ params, path }, visit) => {
      const route = await findRoute(options.sections, 'pages', params.path ?? '');
      if (!route) throw new Problem('noRoute', { method: 'GET', path });
      if (!options.mayDo(visit.member.role, route.found.operation)) throw new Problem('forbidden');
      return route.found.show(visit, route.params);
    },
  );

/** Every form of a console. Nothing of a form is read before the session is known. */
export const submitFormEndpoint = <
  Code extends string,
  Policy extends string,
  Role extends string,
  Operation extends string,
  Organization extends MembersOrganization,
>(
  service: Service<Code, Policy | 'forms'>,
  options: ConsoleOptions<Role, Operation, Organization>,
): Endpoint =>
  memberEndpoints(service, { ...options, pageOfForm: (path) => findPageOfForm(options.sections, path) })(
    {
      route: 'POST /console/{path+}',
      summary: 'A form of the console',
      body: pageForm,
      rate: 'forms',
      ...consoleDeclaration(service),
    },
    async ({ params, path, body }, visit) => {
      const route = await findRoute(options.sections, 'forms', params.path ?? '');
      if (!route) throw new Problem('noRoute', { method: 'POST', path });
      if (!options.mayDo(visit.member.role, route.found.operation)) throw new Problem('forbidden');
      return route.found.submit(visit, route.params, await readForm(body));
    },
  );
