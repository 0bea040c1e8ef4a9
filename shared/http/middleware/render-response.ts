import type { MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import { Problem, Refusal } from '../../errors/errors.ts';
import { logger } from '../../log/logger.ts';
import { commonSettings } from '../../settings/common.ts';
import { isLocal } from '../../settings/names.ts';
import { accepts } from '../accepts.ts';
import { type Answer, empty, json } from '../answer.ts';
import { type Call, type HostEvent, toCall } from '../call.ts';
import { checkRefusal } from '../conformance.ts';
import { inTime, workingMs } from '../deadline.ts';
import type { Declaration } from '../declaration.ts';
import type { Service } from '../endpoint.ts';
import { refusalOf } from '../refusal-of.ts';
import { collectBody, type Reply, toReply } from '../reply.ts';

/** The outermost middleware: makes a call of the event, and a reply of the answer or failure. */
export function renderResponse(
  service: Service,
  declaration: Declaration,
  streams: boolean,
): MiddlewareObj<Call, unknown> {
  const log = logger(service.name);
  const everywhere = [
    ...Object.values(service.situations),
    ...[service.unknownOptions ?? []].flat(),
    ...(declaration.query && service.invalidQuery ? [service.invalidQuery] : []),
  ];

  const render = (error: unknown, call: Call): Answer => {
    const refusal = refusalOf(service, error);
    const { status } = refusal;
    const body = service.style.render(refusal, {
      correlationId: call.correlationId,
      path: call.path,
      production: !isLocal(),
    });
    const mediaType = service.style.mediaTypeFor?.(status);
    const headers = {
      ...refusal.headers,
      ...(mediaType && { 'content-type': `${mediaType}; charset=utf-8` }),
    };
    return body === undefined ? empty(status, { headers: refusal.headers }) : json(body, { status, headers });
  };

  const logAnswer = (call: Call, { status }: Reply): void =>
    log.info('answered', {
      correlationId: call.correlationId,
      method: call.method,
      route: declaration.route,
      status,
      ms: Date.now() - call.startedAtMs,
      application: call.caller?.application,
    });

  const replyTo = (call: Call, answer: Answer): Reply =>
    toReply(answer, call.correlationId, jsonType(service, call));

  return {
    before(request) {
      request.event = toCall((request.event ?? {}) as unknown as HostEvent, request.context as Context);
    },
    async after(request) {
      const call = request.event;
      const ready = replyTo(call, request.response as Answer);
      const whole = streams ? ready : await inTime(workingMs(call), () => collectBody(ready));
      logAnswer(call, whole);
      request.response = whole;
    },
    onError(request) {
      const call = request.event;
      let error: unknown = request.error;
      if (error instanceof Refusal && commonSettings['Http:CheckAnswers'])
        error = orUndeclared(declaration, error, everywhere);
      if (!(error instanceof Refusal) && !(error instanceof Problem)) {
        log.error('unexpected failure', {
          correlationId: call.correlationId,
          route: declaration.route,
          error,
        });
      }
      const refused = replyTo(call, render(error, call));
      logAnswer(call, refused);
      request.response = refused;
    },
  };
}

function orUndeclared(declaration: Declaration, refusal: Refusal, everywhere: readonly string[]): unknown {
  try {
    checkRefusal(declaration, refusal, everywhere);
    return refusal;
  } catch (undeclared) {
    return undeclared;
  }
}

function jsonType(service: Service, call: Call): string {
  const [usual = 'application/json', ...others] = service.jsonTypes ?? [];
  const { accept } = call.headers;
  if (accepts(accept, usual)) return usual;
  return others.find((type) => accepts(accept, type)) ?? usual;
}
