import type { Readable } from 'node:stream';
import type { MiddlewareObj } from '@middy/core';
import { Problem, Refusal } from '../../errors/errors.ts';
import { logger } from '../../log/logger.ts';
import { count, observeLatency } from '../../metrics/count.ts';
import { isMetered } from '../../metrics/table.ts';
import { commonSettings } from '../../settings/common.ts';
import { isLocal } from '../../settings/names.ts';
import { runInTrace } from '../../trace/trace.ts';
import type { Call } from '../call.ts';
import { checkRefusal } from '../conformance.ts';
import { answersMethod, type Declaration } from '../declaration.ts';
import type { Service } from '../endpoint.ts';
import { refusalOf } from '../refusal-of.ts';
import { accepts } from '../request/accepts.ts';
import { type Answer, empty, isStream, json } from '../response/answer.ts';
import { inTime, workingMs } from '../response/deadline.ts';
import { collectBody, type Reply, toReply, withoutBody } from '../response/reply.ts';

/** The outermost middleware: makes a call of the event, and a reply of the answer or failure. */
export function renderResponse(
  service: Service,
  declaration: Declaration,
  streams: (call: Call) => boolean,
): MiddlewareObj<Call, unknown> {
  const log = logger(service.name);
  const everywhere = (call: Call): string[] => [
    ...Object.values(service.situations),
    ...[service.unknownOptions ?? []].flat(),
    ...(declaration.query && service.invalidQuery ? [service.invalidQuery] : []),
    ...(declaration.access === 'public' ? [] : (service.authenticate.refuses?.(call.method) ?? [])),
  ];

  const render = (refusal: Refusal, call: Call): Answer => {
    const { status } = refusal;
    const body = service.style.render(refusal, {
      correlationId: call.trace.correlationId,
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

  // Drawn by the declaration where a person looks at it. A failure to draw it must not cost the answer.
  const renderFor = async (refusal: Refusal, call: Call): Promise<Answer> => {
    if (!declaration.refusalPage || !accepts(call.headers.accept, 'text/html')) return render(refusal, call);
    try {
      const shown = await declaration.refusalPage(refusal, call);
      return { ...shown, status: refusal.status, headers: { ...shown.headers, ...refusal.headers } };
    } catch (error) {
      log.error('refusal not drawn', { route: declaration.route, error });
      return render(refusal, call);
    }
  };

  const logAnswer = (call: Call, { status }: Reply, code?: string): void => {
    const ms = Date.now() - call.startedAtMs;
    countCall(status, ms);
    log.info('answered', {
      callerCorrelationId: call.callerCorrelationId,
      method: call.isHead ? 'HEAD' : call.method,
      route: declaration.route,
      status,
      code,
      ms,
      waitedMs: Math.round(call.waitedMs),
      application: call.caller?.application,
    });
  };

  const { name: Service } = service;
  const countCall = (status: number, ms: number): void => {
    if (!isMetered(Service)) return;
    count('Calls', { Service, Outcome: status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed' });
    observeLatency({ Service }, ms);
  };

  // What follows an answer neither breaks it nor delays it past the end of the function.
  const report = async (call: Call, answer: Answer | Refusal): Promise<void> => {
    try {
      await inTime(workingMs(call), async () => declaration.onAnswer?.(answer));
    } catch (error) {
      log.error('answer not reported', { route: declaration.route, error });
    }
  };

  // Also the listener without which an error before the host begins to send would end the process.
  const logBrokenStream = (call: Call, body: Readable): void => {
    body.once('error', (error) => {
      if (call.hangUp?.aborted) return;
      // The host reads the body, and not in the trace of the call.
      runInTrace(call.trace, () => log.error('answer broken off', { route: declaration.route, error }));
    });
  };

  const challenge = declaration.challenge ?? `ApiKey realm="${service.name}"`;
  const replyTo = (call: Call, answer: Answer): Reply => {
    const headers = { ...(answer.status === 401 && { 'www-authenticate': challenge }), ...answer.headers };
    const reply = toReply({ ...answer, headers }, call.trace.correlationId, jsonType(service, call));
    return call.isHead ? withoutBody(reply) : reply;
  };

  return {
    before(request) {
      const call = request.event;
      if (!answersMethod(declaration, call.method))
        throw new Problem('noRoute', { method: call.method, path: call.path });
    },
    async after(request) {
      const call = request.event;
      const answer = request.response as Answer;
      const ready = replyTo(call, answer);
      const reply = streams(call) ? ready : await inTime(workingMs(call), () => collectBody(ready));
      if (isStream(reply.body)) logBrokenStream(call, reply.body);
      logAnswer(call, reply);
      await report(call, answer);
      request.response = reply;
    },
    async onError(request) {
      const call = request.event;
      let error: unknown = request.error;
      if (error instanceof Refusal && commonSettings['Http:CheckAnswers'])
        error = orUndeclared(declaration, error, everywhere(call));
      if (!(error instanceof Refusal) && !(error instanceof Problem)) {
        // Work that stopped because its caller hung up has not failed: strangers must not fill the log with errors.
        const isAborted = call.hangUp?.aborted && error instanceof Error && error.name === 'AbortError';
        log[isAborted ? 'info' : 'error'](isAborted ? 'caller hung up' : 'unexpected failure', {
          route: declaration.route,
          error,
        });
      }
      const refusal = refusalOf(service, error, declaration.situations);
      if (isMetered(Service)) count('Refusals', { Service, Code: refusal.code });
      const refused = replyTo(call, await renderFor(refusal, call));
      logAnswer(call, refused, refusal.code);
      await report(call, refusal);
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
