import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { Problem } from '../errors/errors.ts';
import { commonSettings } from '../settings/common.ts';
import { MANUAL } from '../settings/settings.ts';
import type { Call, HostEvent } from './call.ts';
import { checkAnswer } from './conformance.ts';
import type { AnswerShape, Declaration } from './declaration.ts';
import type { Endpoint, Run, Service, ServiceOptions } from './endpoint.ts';
import { inputOf } from './input.ts';
import { limitApplication } from './middleware/limit-application.ts';
import { limitConcurrency } from './middleware/limit-concurrency.ts';
import { limitRate } from './middleware/limit-rate.ts';
import { renderResponse } from './middleware/render-response.ts';
import { requireKey } from './middleware/require-key.ts';
import { type Answer, isAnswer, json } from './response/answer.ts';
import { inTime, workingMs } from './response/deadline.ts';
import { proxyResult, type Reply } from './response/reply.ts';
import { streamingHost, streamResponse } from './response/streaming.ts';
import '../settings/values-at-start.ts';

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

/** The flow of every request: authentication, rate, concurrency, input; then the function, then the answer. */
function makeEndpoint<
  Code extends string,
  Policy extends string,
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body,
  Answers extends Readonly<Record<number, AnswerShape>>,
>(
  owner: Service<Code, Policy>,
  declared: Declaration<Code, Policy, Params, Query, Body, Answers>,
  run: Run<Params, Query, Body, Answers>,
): Endpoint {
  // The flow needs no type parameters: `Run` ties the types of a declaration to its function.
  const service = owner as unknown as Service;
  const declaration = declared as unknown as Declaration;
  const runFunction = run as unknown as (input: unknown) => Promise<unknown>;

  const host = declaration.streams ? streamingHost() : undefined;
  const streams = (call: Call) => host !== undefined || (declaration.streams === true && call.takesStream);

  const flow = middy<Call, unknown>({ timeoutEarlyInMillis: 0 })
    .use([
      renderResponse(service, declaration, streams),
      ...limitRate(service, declaration, 'beforeKey').map(withDeadline),
      ...requireKey(service, declaration).map(withDeadline),
      ...limitRate(service, declaration, 'afterKey').map(withDeadline),
      ...limitApplication(service, declaration).map(withDeadline),
      ...limitConcurrency(service, declaration).map(withDeadline),
    ])
    .handler((call: Call) =>
      inTime(
        workingMs(call),
        async () =>
          (await declaration.enter?.(call)) ??
          asAnswer(declaration, await runFunction(await inputOf(service, declaration, call))),
      ),
    ) as unknown as (event: HostEvent, context: Context) => Promise<Reply>;

  const result = async (event: HostEvent, context: Context) => proxyResult(await flow(event, context));
  const handler = host ? streamResponse(host, flow) : result;
  return Object.assign(handler as Endpoint, { declaration, service });
}

// Middleware shares the deadline of the function.
const withDeadline = ({ before, ...rest }: MiddlewareObj<Call>): MiddlewareObj<Call> => ({
  ...rest,
  ...(before && { before: (request) => inTime(workingMs(request.event), () => before(request)) }),
});

function asAnswer(declaration: Declaration, value: unknown): Answer {
  const answer = isAnswer(value) ? value : json(value, { status: usualStatus(declaration) });
  if (commonSettings['Http:CheckAnswers']) checkAnswer(declaration, answer);
  return answer;
}

const usualStatus = (declaration: Declaration): number =>
  Number(Object.keys(declaration.answers).find((status) => status.startsWith('2')) ?? 200);
