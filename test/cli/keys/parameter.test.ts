import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runAdmin } from '../../../cli/admin/run.ts';
import { createRing, listKeys, retireKey, rotateKeys } from '../../../cli/keys/commands.ts';
import { openSecret } from '../../../functions/hub/domain/providers/client-secret.ts';
import { providers } from '../../../functions/hub/domain/providers/provider.ts';
import { putProvider } from '../../../functions/hub/domain/providers/register-provider.ts';
import { keyIdOf } from '../../../shared/keyring/envelope.ts';
import { parseRing } from '../../../shared/settings/keyring.ts';
import { readNamedValues } from '../../../shared/settings/named-values.ts';
import { ownStores } from '../../functions/own-stores.ts';

// Systems Manager and KMS, as far as a ring needs them. KMS authenticates the context of what it encrypts.
type Parameter = { Name: string; Value: string; Type: string; KeyId?: string };
const stored = new Map<string, Parameter>();
const asked: string[] = [];
const WRONG = { __type: 'InvalidCiphertextException' };

type Answer = (input: never) => [status: number, output: object];
const answers: Record<string, Answer> = {
  'AmazonSSM.GetParameters': ({ Names }: { Names: string[] }) => [
    200,
    { Parameters: Names.flatMap((name) => stored.get(name) ?? []) },
  ],
  'AmazonSSM.GetParameter': ({ Name }: Parameter) => {
    const Parameter = stored.get(Name);
    return Parameter ? [200, { Parameter }] : [400, { __type: 'ParameterNotFound' }];
  },
  'AmazonSSM.DescribeParameters': ({ ParameterFilters: [{ Values = [] } = {}] = [] }: Filters) => [
    200,
    { Parameters: Values.flatMap((name) => stored.get(name) ?? []).map(({ Value: _, ...known }) => known) },
  ],
  'AmazonSSM.PutParameter': (input: Parameter & { Overwrite: boolean }) => {
    const { Overwrite, ...parameter } = input;
    if (stored.has(input.Name) && !Overwrite) return [400, { __type: 'ParameterAlreadyExists' }];
    stored.set(input.Name, parameter);
    return [200, { Version: 1 }];
  },
  'TrentService.Encrypt': ({ Plaintext, EncryptionContext, KeyId }: Encryption) => [
    200,
    { CiphertextBlob: base64(JSON.stringify([KeyId, EncryptionContext, Plaintext])) },
  ],
  'TrentService.Decrypt': ({ CiphertextBlob = '', EncryptionContext }: Encryption) => {
    const [, context, Plaintext] = JSON.parse(Buffer.from(CiphertextBlob, 'base64').toString());
    const isSame = JSON.stringify(context) === JSON.stringify(EncryptionContext);
    return isSame ? [200, { Plaintext }] : [400, WRONG];
  },
};
type Filters = { ParameterFilters?: { Values?: string[] }[] };
type Encryption = { Plaintext?: string; CiphertextBlob?: string; EncryptionContext: object; KeyId?: string };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const server = createServer(async (request, response) => {
  const target = String(request.headers['x-amz-target']);
  asked.push(target);
  const input = JSON.parse(Buffer.concat(await request.toArray()).toString()) as never;
  const [status, output] = answers[target]?.(input) ?? [500, {}];
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(output));
});

let stop: () => Promise<void>;
let nowMs = Date.now();
const deps = {
  say: () => undefined,
  now: () => nowMs,
  wait: async (ms: number) => {
    nowMs += ms;
    vi.setSystemTime(nowMs);
  },
};

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  for (const name of ['SSM', 'KMS']) vi.stubEnv(`AWS_ENDPOINT_URL_${name}`, `http://127.0.0.1:${port}`);
  stop = await ownStores();
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  server.close();
  await stop();
});

const PLACE = 'ssm:/sinete/local/sealing/keys';
const NAME = '/sinete/local/sealing/keys';
const provider = {
  name: 'alpha',
  company: 'A Company',
  baseUrl: 'https://p.example/v0/oauth',
  badgeUrl: null,
  clientId: 'hub-client',
  clientSecret: 'the secret',
  hashEncoding: 'base64',
  tokenBody: 'form',
  hashesPerCall: 10,
  sendsAlias: true,
  discovery: 'client',
  timeouts: {},
} as const;

/** As a function that starts, or that reads its settings again. */
async function opens(): Promise<void> {
  await readNamedValues();
  const held = await providers.get('alpha');
  expect(held && (await openSecret(held))).toEqual({ plain: 'the secret' });
}

describe('a ring in a parameter of Systems Manager', () => {
  test('is made, and rotated with the key of the parameter kept', async () => {
    expect(await createRing(PLACE)).toContain(`in ${PLACE}`);
    const made = stored.get(NAME);
    expect(made).toMatchObject({ Type: 'SecureString' });
    if (made) stored.set(NAME, { ...made, KeyId: 'alias/of-the-operator' });
    await expect(createRing(PLACE)).rejects.toThrow('already');

    vi.stubEnv('Sealing__Keys', PLACE);
    await readNamedValues();
    await putProvider(provider);
    await rotateKeys(deps);
    expect(stored.get(NAME)).toMatchObject({ Type: 'SecureString', KeyId: 'alias/of-the-operator' });
    const [newest, older] = parseRing(stored.get(NAME)?.Value ?? '');
    expect(keyIdOf((await providers.get('alpha'))?.sealedSecret ?? '')).toBe(newest?.id);
    await opens();
    await retireKey(older?.id ?? '', deps);
    await opens();
    expect(asked.filter((target) => target.startsWith('TrentService'))).toEqual([]);
  });

  test('is encrypted by KMS for its stage where Sealing:KmsKey is set, and decrypted once in a process', async () => {
    vi.stubEnv('Sealing__KmsKey', 'arn:aws:kms:sa-east-1:123456789012:key/one');
    const clear = stored.get(NAME)?.Value ?? '';
    await rotateKeys(deps);
    const { Value = '' } = stored.get(NAME) ?? {};
    expect(Value).toMatch(/^kms:/);
    const [key, context] = JSON.parse(Buffer.from(Value.slice(4), 'base64').toString());
    expect([key, context]).toEqual([
      'arn:aws:kms:sa-east-1:123456789012:key/one',
      { application: 'sinete', stage: 'local' },
    ]);
    expect(Value).not.toContain(clear.split(':')[1]);
    asked.length = 0;
    await opens();
    await opens();
    expect(asked.filter((target) => target === 'TrentService.Decrypt').length).toBeLessThanOrEqual(1);
    expect(await listKeys()).toContain('seals and opens');

    vi.stubEnv('STAGE', 'other');
    await expect(listKeys()).rejects.toThrow();
    vi.stubEnv('STAGE', 'local');
  });

  test('is made for the stage that the command names', async () => {
    vi.stubEnv('Sealing__KmsKey', 'arn:aws:kms:sa-east-1:123456789012:key/one');
    const failures: string[] = [];
    const output = { print: () => undefined, printError: (line: string) => failures.push(line) };
    const made = await runAdmin(
      ['--stage', 'prod', 'keys', 'create', '--to', 'ssm:/sinete/prod/ring'],
      output,
    );
    expect([made, failures]).toEqual([0, []]);
    const { Value = '' } = stored.get('/sinete/prod/ring') ?? {};
    expect(JSON.parse(Buffer.from(Value.slice(4), 'base64').toString())[1]).toEqual({
      ...{ application: 'sinete', stage: 'prod' },
    });
    vi.stubEnv('STAGE', 'local');
  });

  test('that a process has read before a rotation opens what is new without a restart', async () => {
    await readNamedValues();
    const { Value: before = '' } = stored.get(NAME) ?? {};
    await rotateKeys(deps);
    const sealed = (await providers.get('alpha'))?.sealedSecret ?? '';
    const after = stored.get(NAME);
    // The process of before: it has the former ring, and Systems Manager the new one.
    if (after) stored.set(NAME, { ...after, Value: before });
    await readNamedValues();
    if (after) stored.set(NAME, after);
    asked.length = 0;
    const held = await providers.get('alpha');
    expect(held?.sealedSecret).toBe(sealed);
    expect(held && (await openSecret(held))).toEqual({ plain: 'the secret' });
    expect(asked.filter((target) => target.startsWith('AmazonSSM'))).toEqual(['AmazonSSM.GetParameters']);
  });
});
