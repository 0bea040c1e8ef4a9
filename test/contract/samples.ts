import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import * as z from 'zod';
import { handlerOf, sampleEventPath } from '../../infra/invoke.ts';
import { type SampleRequest, toHttpEvent } from '../../infra/runtime/events/sample-event.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';

/** The sample of an endpoint, with the address of a running host in the place of the usual one. */
export const sampleOf = (name: string, url = 'http://localhost:3000'): SampleRequest =>
  JSON.parse(
    readFileSync(sampleEventPath(name), 'utf8').replaceAll(
      /localhost(:|%3A)3000/gi,
      `localhost$1${new URL(url).port}`,
    ),
  );

/** Sends the sample of an endpoint over HTTP. */
export function sendSample(name: string, url: string): Promise<Response> {
  const { path, httpMethod, headers, body, ...event } = toHttpEvent(sampleOf(name, url));
  const query = new URLSearchParams((event.queryStringParameters ?? {}) as Record<string, string>).toString();
  const { Host: _, ...sent } = headers as Record<string, string>;
  return fetch(`${url}${path}${query && `?${query}`}`, {
    method: httpMethod,
    headers: sent,
    redirect: 'manual',
    ...(body && { body: Buffer.from(body, event.isBase64Encoded ? 'base64' : 'utf8') }),
  });
}

/** Sends the sample of an endpoint and expects an answer of its contract, by default with the status of the sample. */
export async function expectAnswerByContract(
  name: string,
  url: string,
  status = sampleOf(name).expectedStatus,
): Promise<void> {
  const { declaration, service } = (await handlerOf(name)) as unknown as Endpoint;
  const answer = await sendSample(name, url);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);

  const shape = declaration.answers[answer.status];
  if (shape instanceof z.ZodType) {
    shape.parse(await answer.json());
  } else if (!shape) {
    const everywhere = Object.values(service.situations);
    const codes = [...(declaration.refuses ?? []), ...everywhere];
    expect(codes.flatMap((code) => service.errors.statuses(code))).toContain(answer.status);
    expect(answer.status).not.toBe(500);
  }
}
