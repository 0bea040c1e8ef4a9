import { describe, expect, test } from 'vitest';
import { batch } from '../../../functions/batch/service.ts';
import { compact } from '../../../functions/compact/service.ts';
import { hub } from '../../../functions/hub/service.ts';
import { pki } from '../../../functions/pki/service.ts';
import { session } from '../../../functions/session/service.ts';
import { gatewayAnswers } from '../../../infra/plugins/gateway-answers.ts';
import type { Service } from '../../../shared/http/endpoint.ts';

type Properties = {
  StatusCode: string;
  ResponseParameters: Record<string, string>;
  ResponseTemplates: Record<string, string>;
};

const answer = (service: Service, name: string) =>
  (gatewayAnswers(service)[`GatewayAnswer${name}`] as { Properties: Properties }).Properties;

const body = (service: Service, name: string) =>
  JSON.parse(answer(service, name).ResponseTemplates['application/json'] ?? '');

describe('what API Gateway answers by itself', () => {
  test('carries its request id as the correlation id', () => {
    for (const service of [session, hub, pki, batch]) {
      expect(answer(service, 'Default5xx').ResponseParameters).toMatchObject({
        'gatewayresponse.header.X-Correlation-Id': 'context.requestId',
      });
    }
  });

  test('is worded in the service’s own style', () => {
    expect(body(session, 'RequestTooLarge')).toEqual({
      error: { code: 'DOCUMENT_TOO_LARGE', message: expect.any(String) },
    });
    expect(body(session, 'MissingAuthenticationToken').error.code).toBe('ENDPOINT_NOT_FOUND');
    expect(body(hub, 'Default5xx')).toBe('UnexpectedFailure');
    expect(body(pki, 'Default5xx').exceptionCode).toBe('$context.requestId');
    expect(body(batch, 'Throttled')).toMatchObject({
      code: 'rate-limited',
      status: 429,
      title: 'Too Many Requests',
    });
    expect(answer(batch, 'Throttled').ResponseParameters).toMatchObject({
      'gatewayresponse.header.Content-Type': "'application/problem+json'",
    });
  });

  test('calls a body that only a file can be too large a file, at both surfaces of the batch service', () => {
    for (const service of [batch, compact])
      expect(body(service, 'RequestTooLarge')).toMatchObject({ code: 'upload.too-large', status: 413 });
  });

  test('tells in production nothing that a function would not', () => {
    expect(body(batch, 'Default5xx')).not.toHaveProperty('detail');
  });
});
