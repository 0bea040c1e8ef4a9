import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ClientOptions } from '../../../clients/typescript/src/index.ts';
import { toHttpEvent } from '../../../infra/runtime/events/sample-event.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import { sampleOf } from '../../contract/samples.ts';
import { CLASSES, sampleCalls } from './samples.ts';

const calls = sampleCalls();

describe('the client', () => {
  test('has every operation of every contract', () => {
    const declared = SERVICES.flatMap((service) => {
      const { paths } = JSON.parse(readFileSync(`functions/${service}/openapi.json`, 'utf8')) as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      return operations.map(({ operationId }) => `${service}.${operationId}`);
    });
    expect(
      Object.keys(CLASSES)
        .map((name) => name.toLowerCase())
        .toSorted(),
    ).toEqual(SERVICES.toSorted());
    expect(calls.map(({ service, operation }) => `${service.toLowerCase()}.${operation}`).toSorted()).toEqual(
      declared.toSorted(),
    );
  });

  test.each(calls.map((call) => [call.name, call] as const))(
    'sends %s as it is declared',
    async (name, call) => {
      const sent: { url: URL; init: RequestInit }[] = [];
      const Service = CLASSES[call.service] as new (
        options: ClientOptions,
      ) => { call(operation: string, request: object): Promise<unknown> };
      const service = new Service({
        url: `http://service.test/${call.service.toLowerCase()}`,
        key: call.key,
        fetch: async (url, init = {}) => {
          sent.push({ url: new URL(String(url)), init });
          return new Response('{}');
        },
      });
      await service.call(call.operation, call.request);
      const expected = toHttpEvent(sampleOf(name));
      const [request] = sent;
      expect(request?.init.method).toBe(expected.httpMethod);
      expect(decodeURIComponent(request?.url.pathname ?? '')).toBe(expected.path);
      expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual(
        expected.queryStringParameters ?? {},
      );
      const headers = new Headers(request?.init.headers);
      for (const header of ['X-API-Key', 'X-Signature-Session-Token'])
        expect(headers.get(header)).toBe(expected.headers[header] ?? null);
      const body = Buffer.from(expected.body ?? '', expected.isBase64Encoded ? 'base64' : 'utf8');
      const bytes = Buffer.from(await new Response(request?.init.body ?? null).arrayBuffer());
      if (expected.headers['Content-Type'] === 'application/json' && typeof request?.init.body === 'string')
        expect(JSON.parse(bytes.toString())).toEqual(JSON.parse(body.toString()));
      else expect(bytes.equals(body)).toBe(true);
    },
  );
});
