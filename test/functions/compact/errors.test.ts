import { expect, test } from 'vitest';
import { errors as full } from '../../../functions/batch/errors.ts';
import { errors } from '../../../functions/compact/errors.ts';
import { endpointFiles } from '../../../infra/build/function-files.ts';
import { handlerOf } from '../../../infra/invoke.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';

const codes = Object.keys(errors.rows) as Parameters<typeof errors.statuses>[0][];

test('the compact surface answers a missing or wrong key with 401, and one call too many with 429', () => {
  expect(errors.statuses('auth.misconfigured')).toEqual([401]);
  expect(errors.statuses('auth.invalid-credentials')).toEqual([401]);
  expect(errors.statuses('rate-limited')).toEqual([429]);
});

test('a code has a status here that it has at the full surface', () => {
  for (const code of codes)
    expect([code, full.statuses(code)]).toEqual([code, expect.arrayContaining([...errors.statuses(code)])]);
});

test('the compact surface has no other statuses than those of its table, and those of a failure', () => {
  const all = new Set(codes.flatMap((code) => errors.statuses(code)));
  expect([...all].toSorted()).toEqual([400, 401, 404, 409, 410, 413, 429, 500, 503]);
});

test('every operation of the compact surface counts for the one limit of an address', async () => {
  const operations = endpointFiles().filter(({ service }) => service === 'compact');
  const rates = await Promise.all(
    operations.map(async ({ name }) => {
      const { declaration } = (await handlerOf(`compact/${name}`)) as unknown as Endpoint;
      return [name, declaration.undocumented ? 'not of the interface' : declaration.rate];
    }),
  );
  // Probes, the engine's own among them, are nobody's calls.
  const exempt = ['get-liveness', 'get-openapi', 'get-reference', 'refuse-unknown-route'];
  for (const [name, rate] of rates.filter(([each]) => !exempt.includes(each ?? '')))
    expect([name, rate]).toEqual([name, 'All']);
});
