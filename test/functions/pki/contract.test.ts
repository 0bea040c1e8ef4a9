import { expect, test } from 'vitest';
import document from '../../../functions/pki/openapi.json' with { type: 'json' };
import { responsesOf } from '../../shared/http/reference/responses.ts';

type Listed = { security?: unknown[]; responses: object };

test('every operation lists the responses 200, 400, 401, 403 and 422, those without a code for one included', () => {
  const operations: Listed[] = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  // A probe and the contract document are for anyone.
  const keyed = operations.filter(({ security }) => security?.length !== 0);
  expect(keyed.length).toBeGreaterThan(10);
  for (const { responses } of keyed)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '422']));
  const { get } = document.paths['/Api/Authentication'];
  expect(responsesOf<{ description?: string }>(document, get)[400]?.description).toMatch(/no code for it/);
});
