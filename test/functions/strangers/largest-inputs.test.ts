import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { functionFiles } from '../../../infra/build/function-files.ts';
import { handlerOf } from '../../../infra/invoke.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { call, type Request } from '../../requests/http-event.ts';
import { someAddress } from '../../shared/http/sample.ts';
import {
  ceilingOf,
  formInputs,
  headInputs,
  type Input,
  isForStrangers,
  jsonInputs,
  multipartInputs,
  TYPES,
  wellFormed,
} from './inputs.ts';

async function strangersEndpoints(): Promise<ReadonlyMap<string, Endpoint>> {
  const found = new Map<string, Endpoint>();
  for (const { path, service, name } of functionFiles()) {
    if (!path.includes('/endpoints/') || service === 'sandbox') continue;
    const endpoint = (await handlerOf(`${service}/${name}`)) as unknown as Endpoint;
    if (isForStrangers(endpoint.declaration)) found.set(`${service}/${name}`, endpoint);
  }
  return found;
}

const SMALL_BYTES = 16_384;

beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});

test('a body of a stranger has at most 16 KB, unless its operation has a reason', async () => {
  const larger: Record<string, number> = {};
  for (const [name, endpoint] of await strangersEndpoints())
    for (const type of TYPES)
      if (ceilingOf(endpoint, type) > SMALL_BYTES) larger[`${name} ${type}`] = ceilingOf(endpoint, type);
  const verified = expect.any(Number);
  expect(larger).toEqual({
    // A certificate.
    'documents/start-signature-by-key application/json': 131_072,
    'pki/start-session-signature application/json': 131_072,
    // Pictures.
    'pki/submit-bio-capture application/json': 4_194_304,
    // A part of a file, read once the token is known to be good.
    ...Object.fromEntries(
      ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'].map(
        (type) => [`pki/upload-own-part ${type}`, 4_194_304],
      ),
    ),
    // An image of a signature.
    'documents/sign-at-page multipart/form-data': 531_072,
    // Files to verify, where the deployment says so.
    'documents/verify-file multipart/form-data': verified,
    'documents/verify-file application/json': verified,
    'documents/verify-file application/x-www-form-urlencoded': verified,
    'documents/verify-file text/plain': verified,
    // Not read before the sender is known by a secret, a signature or a session.
    'batch/receive-notification application/json': 1_048_576,
    ...Object.fromEntries(
      ['complete-agent-task', 'enrol-agent', 'poll-agent', 'update-agent-certificates'].flatMap((name) =>
        TYPES.map((type) => [`session/${name} ${type}`, 131_072]),
      ),
    ),
    'batch/decide-in-portal application/x-www-form-urlencoded': 65_536,
    'batch/complete-approver-signature application/json': 65_536,
    'batch/prepare-approver-signature application/json': 65_536,
    ...Object.fromEntries(TYPES.map((type) => [`batch/fail-approver-signature ${type}`, 65_536])),
    'batch/submit-form application/x-www-form-urlencoded': 262_144,
    'batch/submit-form multipart/form-data': 4_521_984,
    'credentials/submit-console-form application/x-www-form-urlencoded': 262_144,
    'credentials/submit-console-form multipart/form-data': 4_521_984,
    'documents/submit-console-form application/x-www-form-urlencoded': 262_144,
    'documents/submit-console-form multipart/form-data': 4_521_984,
    'documents/upload-console-files multipart/form-data': expect.any(Number),
  });
});

const milliseconds = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

async function cpuOf(work: () => unknown): Promise<number> {
  const from = milliseconds();
  await work();
  return milliseconds() - from;
}

// What this machine takes to read a megabyte of short values, once. The bound is as many times that: some 200 ms where
// nothing else runs. A stranger's input costs a hundredth of it; a square of 16 KB of fields costs more than all.
const MEGABYTE = `[${'"abc",'.repeat(170_000)}0]`;
const BOUND_TIMES = 20;

async function boundMs(): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 5; round++) rounds.push(await cpuOf(() => JSON.parse(MEGABYTE)));
  return Math.max(1, Math.min(...rounds)) * BOUND_TIMES;
}

// Of files, which are streamed: what is behind costs what is before.
const MAX_TRIED_BYTES = 5_000_000;

const TRIES = 3;

/** The inputs that cost more than the bound, at the best of some tries: the first one loads code. */
async function overBound(endpoint: Endpoint, inputs: readonly Input[], bound: number): Promise<string[]> {
  const found: string[] = [];
  for (const { name, request } of inputs) {
    const sent: Request = { ...wellFormed(endpoint.declaration), ...request };
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < TRIES && least > bound; attempt++)
      least = Math.min(least, await cpuOf(() => call(endpoint, { ...sent, address: someAddress() })));
    if (least > bound) found.push(`${name}: ${least.toFixed(0)} ms, of ${bound.toFixed(0)}`);
  }
  return found;
}

describe('the largest allowed input of a stranger takes the processor no longer than a few megabytes of JSON', async () => {
  // Files to verify have bounds of their own, and are read where the deployment says so.
  const endpoints = [...(await strangersEndpoints())].filter(([name]) => name !== 'documents/verify-file');
  // Once: to read it five times for each endpoint would take as long as all the inputs.
  const bound = await boundMs();
  const headed = headInputs();

  test.each(endpoints)('%s', async (_, endpoint) => {
    const bytesOf = (type: string) => Math.min(MAX_TRIED_BYTES, ceilingOf(endpoint, type));
    const [json = 0, form = 0, multipart = 0] = TYPES.map(bytesOf);
    const inputs = [
      ...headed,
      ...(json > 0 ? jsonInputs(json) : []),
      ...(form > 0 ? formInputs(form) : []),
      ...(multipart > 0 ? multipartInputs(multipart) : []),
    ];
    expect(await overBound(endpoint, inputs, bound)).toEqual([]);
  });
});
