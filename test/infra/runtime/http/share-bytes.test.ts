import { expect, test } from 'vitest';
import { shareBytes } from '../../../../infra/runtime/http/share-bytes.ts';
import { openApiEndpoint } from '../../../../shared/http/reference/openapi-endpoint.ts';
import { httpEvent, lambdaContext } from '../../../requests/http-event.ts';
import { sample } from '../../../shared/http/sample.ts';

test('answers with the same bytes share one buffer, and others do not', () => {
  const page = Buffer.from('a page');
  expect(shareBytes(page)).toBe(page);
  expect(shareBytes(Buffer.from('a page'))).toBe(page);
  expect(shareBytes(page)).toBe(page);
  expect(shareBytes(Buffer.from('another page'))).not.toBe(page);
});

test('a contract document is made once, and its bytes are those of all answers', async () => {
  const handler = openApiEndpoint(sample(), { info: {}, tags: [] });
  const ask = () => handler(httpEvent({ takesStream: true }), lambdaContext());
  const [first, second] = [await ask(), await ask()] as { bodyBytes?: Uint8Array }[];
  expect(JSON.parse(String(first?.bodyBytes))).toMatchObject({ openapi: '3.1.0' });
  expect(second?.bodyBytes).toBe(first?.bodyBytes);
});
