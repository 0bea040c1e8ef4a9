import { Problem, type Situation } from '../../shared/errors/errors.ts';
import type { Declaration } from '../../shared/http/declaration.ts';
import type { Service } from '../../shared/http/endpoint.ts';
import { refusalOf } from '../../shared/http/refusal-of.ts';
import type { Framework } from './framework.ts';

// Answers that API Gateway gives by itself, before a function runs or in its place, and their situations in a service.
const SITUATIONS: Readonly<Record<string, Situation>> = {
  MISSING_AUTHENTICATION_TOKEN: 'noRoute', // its name for a path outside the service's base path
  REQUEST_TOO_LARGE: 'tooLarge',
  THROTTLED: 'rateLimited',
  QUOTA_EXCEEDED: 'rateLimited',
  DEFAULT_4XX: 'invalid',
  DEFAULT_5XX: 'unexpected', // a function that ended without an answer, or took too long
};

/** One `AWS::ApiGateway::GatewayResponse` for each situation, in the service's own error style. */
export const gatewayAnswers = (service: Service): Record<string, object> =>
  Object.fromEntries(
    Object.entries(SITUATIONS).map(([type, situation]) => [
      logicalId(type),
      answerOf(service, type, situation),
    ]),
  );

// MISSING_AUTHENTICATION_TOKEN -> GatewayAnswerMissingAuthenticationToken
const logicalId = (type: string): string =>
  `GatewayAnswer${type.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

/** Codes for what the gateway itself refuses, where they are not those of the service. */
const gatewayCodes = ({ tooLargeForGateway: tooLarge }: Service): Declaration['situations'] =>
  tooLarge === undefined ? {} : { tooLarge };

function answerOf(service: Service, type: string, situation: Situation): object {
  const refusal = refusalOf(service, new Problem(situation), gatewayCodes(service));
  const context = { correlationId: '$context.requestId', path: '$context.path', production: true };
  const body = service.style.render(refusal, context);
  const mediaType = service.style.mediaTypeFor?.(refusal.status) ?? 'application/json';
  return {
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: {
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      ResponseType: type,
      StatusCode: String(refusal.status),
      ResponseParameters: {
        'gatewayresponse.header.X-Correlation-Id': 'context.requestId',
        'gatewayresponse.header.Content-Type': `'${mediaType}'`,
      },
      ResponseTemplates: { 'application/json': body === undefined ? '' : JSON.stringify(body) },
    },
  };
}

/** Adds them to the stack. They apply only to deployments of the API that are made after them. */
export async function answerInOwnStyle({ service: { functions, provider } }: Framework): Promise<void> {
  const template = provider.compiledCloudFormationTemplate;
  const [handler = ''] = Object.values(functions).map((fn) => fn.handler);
  const name = handler.split('/')[1] ?? '';
  if (!template?.Resources.ApiGatewayRestApi) return;
  const module: Record<string, Service> = await import(`../../functions/${name}/service.ts`);
  const own = module[name];
  if (!own) throw new Error(`functions/${name}/service.ts does not export ${name}.`);
  const answers = gatewayAnswers(own);
  Object.assign(template.Resources, answers);
  for (const resource of Object.values(template.Resources)) {
    if (resource.Type !== 'AWS::ApiGateway::Deployment') continue;
    resource.DependsOn = [...[resource.DependsOn ?? []].flat(), ...Object.keys(answers)];
  }
}
