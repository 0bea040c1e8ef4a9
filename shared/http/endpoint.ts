import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import { commonSettings } from '../settings/common.ts';
import { type Answer, isAnswer, json } from './answer.ts';
import type { Call, HostEvent } from './call.ts';
import { checkAnswer } from './conformance.ts';
import { inTime, workingMs } from './deadline.ts';
import type { AnswerShape, Declaration, Input, Output } from './declaration.ts';
import { inputOf } from './input.ts';
import { admitted } from './middleware/admitted.ts';
import { answered } from './middleware/answered.ts';
import { authenticated } from './middleware/authenticated.ts';
import { limitApplication } from './middleware/limit-application.ts';
import { rateLimited } from './middleware/rate-limited.ts';
import { proxyResult, type Reply } from './send.ts';
import type { Service } from './service.ts';
import { streamed, streamingHost } from './streaming.ts';

/** A function's handler, with what it declared for those who derive from it. */
export type Endpoint = ((event: HostEvent, context: Context) => Promise<APIGatewayProxyResult>) & {
  readonly declaration: Declaration;
  readonly service: Service;
};

export type Run<
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body,
  Answers extends Readonly<Record<number, AnswerShape>>,
> = (input: Input<Params, Query, Body>) => Promise<Output<Answers>>;

/** The flow of every request: who, how often, how many at once, what; then the function, then the answer. */
export function makeEndpoint<
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
  // The flow treats every endpoint alike; what a declaration promises its own function is in `Run`.
  const service = owner as unknown as Service;
  const declaration = declared as unknown as Declaration;
  const work = run as unknown as (input: unknown) => Promise<unknown>;

  const host = declaration.streams ? streamingHost() : undefined;

  const flow = middy<Call, unknown>({ timeoutEarlyInMillis: 0 })
    .use([
      answered(service, declaration, host !== undefined),
      ...authenticated(service, declaration).map(ledInTime),
      ...rateLimited(service, declaration).map(ledInTime),
      ...limitApplication(service, declaration).map(ledInTime),
      ...admitted(service, declaration).map(ledInTime),
    ])
    .handler(async (call: Call) => {
      const value = await inTime(workingMs(call), async () =>
        work(await inputOf(service, declaration, call)),
      );
      return asAnswer(declaration, value);
    }) as unknown as (event: HostEvent, context: Context) => Promise<Reply>;

  const whole = async (event: HostEvent, context: Context) => proxyResult(await flow(event, context));
  const handler = host ? streamed(host, flow) : whole;
  return Object.assign(handler as Endpoint, { declaration, service });
}

// The way to the function has the same end as the function itself.
const ledInTime = ({ before, ...rest }: MiddlewareObj<Call>): MiddlewareObj<Call> => ({
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
