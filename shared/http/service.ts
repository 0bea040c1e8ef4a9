import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { Problem } from '../errors/errors.ts';
import { declareValues } from '../metrics/count.ts';
import { commonSettings } from '../settings/common.ts';
import { MANUAL } from '../settings/settings.ts';
import { endRun } from '../telemetry/end-run.ts';
import { inSpan } from '../trace/spans.ts';
import { currentTrace, runInTrace } from '../trace/trace.ts';
import { type Call, type HostEvent, toCall } from './call.ts';
import { checkAnswer } from './conformance.ts';
import type { AnswerShape, Declaration } from './declaration.ts';
import type { Endpoint, Run, Service, ServiceOptions } from './endpoint.ts';
import { inputOf } from './input.ts';
import { limitApplication } from './middleware/limit-application.ts';
import { limitConcurrency } from './middleware/limit-concurrency.ts';
import { limitRate } from './middleware/limit-rate.ts';
import { renderResponse } from './middleware/render-response.ts';
import { requireKey } from './middleware/require-key.ts';
import { shareOf } from './request/share.ts';
import { type Answer, isAnswer, json } from './response/answer.ts';
import { inTime, workingMs } from './response/deadline.ts';
import { proxyResult, type Reply } from './response/reply.ts';
import { streamingHost, streamResponse } from './response/streaming.ts';
import '../settings/values-at-start.ts';

/**
 * Declares a service. Wrong settings fail here, before the first request.
 * @example export const session = service({ name: 'session', authenticate: apiKey('session'), errors, style: sessionStyle, ... });
 */
export function service<Code extends string, Policy extends string = never, Ability extends string = never>(
  options: ServiceOptions<Code, Policy, Ability>,
): Service<Code, Policy, Ability> {
  options.settings[MANUAL].check();
  declareValues('Code', Object.keys(options.errors.rows));
  const self: Service<Code, Policy, Ability> = {
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
  Ability extends string,
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body,
  Answers extends Readonly<Record<number, AnswerShape>>,
>(
  owner: Service<Code, Policy, Ability>,
  declared: Declaration<Code, Policy, Params, Query, Body, Answers, Ability>,
  run: Run<Params, Query, Body, Answers>,
): Endpoint {
  // The flow needs no type parameters: `Run` ties the types of a declaration to its function.
  const service = owner as unknown as Service;
  const declaration = declared as unknown as Declaration;
  const runFunction = run as unknown as (input: unknown) => Promise<unknown>;

  const host = declaration.streams ? streamingHost() : undefined;
  const streams = (call: Call) => host !== undefined || (declaration.streams === true && call.takesStream);

  const guards = [
    ...limitRate(service, declaration, 'beforeKey'),
    ...requireKey(service, declaration),
    ...limitRate(service, declaration, 'afterKey'),
    ...limitApplication(service, declaration),
    ...limitConcurrency(service, declaration),
  ];
  const flow = middy<Call, unknown>({ timeoutEarlyInMillis: 0 })
    .use([renderResponse(service, declaration, streams), ...guardsInTime(guards)])
    .handler((call: Call) =>
      inItsShare(call, () =>
        inTime(
          workingMs(call),
          async () =>
            (await declaration.enter?.(call)) ??
            asAnswer(declaration, await runFunction(await inputOf(service, declaration, call))),
        ),
      ),
    ) as unknown as (call: Call, context: Context) => Promise<Reply>;

  const tracing = {
    service: service.name,
    mintsId: service.mintsCorrelationId === true && !declaration.takesCorrelationId,
  };
  const span = {
    kind: 'server',
    name: declaration.route,
    attributes: { 'http.route': `${service.basePath}${declaration.route.replace(/^\w+ /, '')}` },
  } as const;
  // `send` is within the trace too: a stream may still call, log and fail.
  const answer = async <T>(event: HostEvent, context: Context, send: (reply: Reply) => Promise<T>) => {
    const call = toCall(event ?? {}, context, tracing);
    let status = 500;
    const run = async (): Promise<T> => {
      const reply = await flow(call, context);
      status = reply.status;
      return send(reply);
    };
    const endOf = () => ({ isError: status >= 500, attributes: { 'http.response.status_code': status } });
    try {
      return await runInTrace(call.trace, () => inSpan(call.trace, span, run, endOf));
    } finally {
      await endRun(call.remainingMs());
    }
  };
  const whole = (event: HostEvent, context: Context) =>
    answer(event, context, async (reply) => proxyResult(reply, event.takesStream));
  const handler = host ? streamResponse(host, answer) : whole;
  return Object.assign(handler as Endpoint, { declaration, service });
}

/** Runs work so that the calls that it makes to this host are in the share of the call. A function of Lambda has no share. */
const inItsShare = <T>(call: Call, work: () => T): T =>
  call.hangUp
    ? runInTrace({ ...(currentTrace() ?? call.trace), application: shareOf(call).application }, work)
    : work();

/** The same middlewares: together they have the time of the function. */
function guardsInTime(guards: readonly MiddlewareObj<Call>[]): MiddlewareObj<Call>[] {
  const before: MiddlewareObj<Call>['before'] = async (request) => {
    let isOver = false;
    const passAll = async (): Promise<void> => {
      // What a guard takes after the end would be given back by nobody.
      for (const guard of guards) if (!isOver) await guard.before?.(request);
    };
    try {
      await inTime(workingMs(request.event), passAll);
    } finally {
      isOver = true;
    }
  };
  const rest = guards.map(({ before: _included, ...others }) => others);
  return [{ before }, ...rest.filter((hooks) => Object.keys(hooks).length > 0)];
}

function asAnswer(declaration: Declaration, value: unknown): Answer {
  const answer = isAnswer(value) ? value : json(value, { status: usualStatus(declaration) });
  if (commonSettings['Http:CheckAnswers']) checkAnswer(declaration, answer);
  return answer;
}

const usualStatus = (declaration: Declaration): number =>
  Number(Object.keys(declaration.answers).find((status) => status.startsWith('2')) ?? 200);
