import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LoggedLine, onLogged } from '../../../shared/log/logger.ts';
import { secret, text } from '../../../shared/settings/kinds.ts';
import {
  ageMs,
  freshen,
  namedValue,
  parameterOf,
  readNamedValues,
} from '../../../shared/settings/named-values.ts';
import { defineSettings, MANUAL } from '../../../shared/settings/settings.ts';

type Request = { readonly Names: readonly string[]; readonly WithDecryption: boolean };
type Decryption = { readonly CiphertextBlob: string; readonly EncryptionContext: object };

// What Systems Manager has, and what it was asked for.
const stored = new Map<string, string>();
const requests: Request[] = [];
// What KMS was asked for.
const decryptions: object[] = [];
let refusal: string | undefined;
let throttled = 0;
const warnings: LoggedLine['fields'][] = [];
onLogged(({ level, fields }) => level === 'WARN' && warnings.push(fields));

const server = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString();
  response.setHeader('content-type', 'application/x-amz-json-1.1');
  if (request.headers['x-amz-target'] === 'TrentService.Decrypt') {
    const { CiphertextBlob, EncryptionContext } = JSON.parse(text) as Decryption;
    decryptions.push(EncryptionContext);
    const [, plain] = /^encrypted (.*)$/.exec(Buffer.from(CiphertextBlob, 'base64').toString()) ?? [];
    if (plain !== undefined)
      return response.end(JSON.stringify({ Plaintext: Buffer.from(plain).toString('base64') }));
    response.statusCode = 400;
    return response.end(JSON.stringify({ __type: 'InvalidCiphertextException' }));
  }
  const body = JSON.parse(text) as Request;
  requests.push(body);
  if (throttled > 0) {
    throttled -= 1;
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
    return response.end(JSON.stringify({ __type: 'ThrottlingException', message: 'Rate exceeded' }));
  }
  if (refusal !== undefined) {
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
    return response.end(JSON.stringify({ __type: refusal, message: 'No.' }));
  }
  const known = body.Names.filter((name) => stored.has(name));
  const answer = {
    Parameters: known.map((Name) => ({ Name, Value: stored.get(Name), Type: 'SecureString' })),
    InvalidParameters: body.Names.filter((name) => !stored.has(name)),
  };
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
  return response.end(JSON.stringify(answer));
});

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
beforeEach(() => {
  vi.unstubAllEnvs();
  const { port } = server.address() as { port: number };
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'sa-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  stored.clear();
  requests.length = 0;
  decryptions.length = 0;
  refusal = undefined;
  warnings.length = 0;
});
afterAll(() => server.close());

const settings = defineSettings('session', {
  'Vault:Key': secret('', 'A key.'),
  'Vault:Place': text('', 'A place.'),
});

test('the values of all settings that name one are read with one request, decrypted, and read from memory after it', async () => {
  stored.set('/sinete/prod/vault/key', 'the key').set('/sinete/prod/vault/place', 'here');
  vi.stubEnv('Vault__Key', 'ssm:/sinete/prod/vault/key');
  vi.stubEnv('session__Vault__Place', 'ssm:/sinete/prod/vault/place');
  await readNamedValues();
  expect(settings['Vault:Key']).toBe('the key');
  expect(settings['Vault:Place']).toBe('here');
  expect(requests).toEqual([
    { Names: ['/sinete/prod/vault/key', '/sinete/prod/vault/place'], WithDecryption: true },
  ]);
  expect(process.env.Vault__Key).toBe('ssm:/sinete/prod/vault/key');
});

test('without a name no request is made', async () => {
  await readNamedValues({ Vault__Key: 'a value', Vault__Place: 'file:/etc/place' });
  expect(requests).toEqual([]);
});

test('more than ten names take a request for each ten', async () => {
  const names = Array.from({ length: 11 }, (_, n) => `/sinete/${n}`);
  for (const name of names) stored.set(name, `value of ${name}`);
  await readNamedValues(Object.fromEntries(names.map((name) => [name, `ssm:${name}`])));
  expect(requests.map(({ Names }) => Names.length)).toEqual([10, 1]);
  expect(namedValue('ssm:/sinete/10')).toBe('value of /sinete/10');
});

describe('a secret of Secrets Manager', () => {
  const reference = '/aws/reference/secretsmanager/sinete/prod/idp';
  const arn = 'arn:aws:secretsmanager:sa-east-1:123456789012:secret:sinete/prod/idp-Ab1Cd2';

  test.each([`secretsmanager:sinete/prod/idp`, `secretsmanager:${arn}`, `secretsmanager:${arn}#password`])(
    '%s is read through Systems Manager by its name',
    (text) => expect(parameterOf(text)).toBe(reference),
  );

  test('is the whole text, or one field of its JSON', async () => {
    stored.set(reference, '{"user":"app","password":"p#1","port":5432}');
    const names = ['', '#password', '#port', '#none'].map(
      (field) => `secretsmanager:sinete/prod/idp${field}`,
    );
    await readNamedValues(Object.fromEntries(names.map((name) => [name, name])));
    expect(requests).toHaveLength(1);
    expect(namedValue(names[0] ?? '')).toBe('{"user":"app","password":"p#1","port":5432}');
    expect(namedValue(names[1] ?? '')).toBe('p#1');
    expect(() => namedValue(names[2] ?? '')).toThrow('whose JSON has no text port');
    expect(() => namedValue(names[3] ?? '')).toThrow('whose JSON has no text none');
  });
});

test('a file is read at its first use, without the end of its last line, and again after five seconds', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sinete-named-')), 'key');
  writeFileSync(file, 'first\n');
  expect(namedValue(`file:${file}`, 0)).toBe('first');
  writeFileSync(file, 'second');
  expect(namedValue(`file:${file}`, 5_000)).toBe('first');
  expect(namedValue(`file:${file}`, 5_001)).toBe('second');
  rmSync(file);
  expect(namedValue(`file:${file}`, 700_000)).toBe('second');
  expect(() => namedValue(`file:${file}-gone`)).toThrow('a file that cannot be read: ENOENT');
});

describe('a value that KMS has encrypted', () => {
  const wrapped = (plain: string) => `kms:${Buffer.from(`encrypted ${plain}`).toString('base64')}`;

  test('is decrypted once in a process, for this stage, wherever it stands', async () => {
    vi.stubEnv('STAGE', 'prod');
    stored.set('/sinete/wrapped', wrapped('kept apart'));
    const here = wrapped('here');
    const env = { Vault__Key: 'ssm:/sinete/wrapped', Vault__Place: here };
    await readNamedValues(env);
    await readNamedValues(env);
    expect([namedValue('ssm:/sinete/wrapped'), namedValue(here)]).toEqual(['kept apart', 'here']);
    const context = { application: 'sinete', stage: 'prod' };
    expect(decryptions).toEqual([context, context]);
    stored.set('/sinete/wrapped', wrapped('changed'));
    await readNamedValues(env);
    expect(namedValue('ssm:/sinete/wrapped')).toBe('changed');
    expect(decryptions).toHaveLength(3);
  });

  test('is a problem of its setting where KMS refuses it', async () => {
    vi.stubEnv('Vault__Key', 'kms:bm9uZQ==');
    await readNamedValues();
    expect(() => settings[MANUAL].check()).toThrow('which KMS does not decrypt: InvalidCiphertextException');
  });
});

test('a value is read again when it is asked to be fresh, by one request for all who ask', async () => {
  const name = 'ssm:/sinete/fresh';
  vi.stubEnv('Vault__Key', name);
  stored.set('/sinete/fresh', 'first');
  await readNamedValues(process.env, 0);
  stored.set('/sinete/fresh', 'second');
  await freshen(name, 1_000, 1_000);
  expect(namedValue(name, 1_000)).toBe('first');
  await Promise.all([freshen(name, 1_000, 1_001), freshen(name, 1_000, 1_001)]);
  expect(namedValue(name, 1_001)).toBe('second');
  expect(requests).toHaveLength(2);
  refusal = 'AccessDeniedException';
  await freshen(name, 1_000, 9_000);
  expect(namedValue(name, 9_000)).toBe('second');
});

test('a changed parameter is used after five minutes; one that is gone, or a store that refuses, changes nothing', async () => {
  const name = 'ssm:/sinete/rotated';
  vi.stubEnv('Vault__Key', name);
  stored.set('/sinete/rotated', 'first');
  await readNamedValues(process.env, 0);
  stored.set('/sinete/rotated', 'second');
  expect(namedValue(name, 300_000)).toBe('first');
  expect(requests).toHaveLength(1);
  expect(namedValue(name, 300_001)).toBe('first');
  await expect.poll(() => namedValue(name, 300_002)).toBe('second');

  stored.delete('/sinete/rotated');
  namedValue(name, 700_000);
  await expect.poll(() => requests.length).toBe(3);
  await expect.poll(() => namedValue(name, 700_001)).toBe('second');
  refusal = 'AccessDeniedException';
  namedValue(name, 1_100_000);
  await expect.poll(() => requests.length).toBe(4);
  // Once, and not with every setting that is read meanwhile.
  await expect.poll(() => namedValue(name, 1_100_001)).toBe('second');
  for (let read = 0; read < 5; read++) {
    await new Promise(setImmediate);
    namedValue(name, 1_130_000);
  }
  expect(requests).toHaveLength(4);
});

test('a reading that fails is warned of, does not make a value younger, and is tried again after half a minute', async () => {
  const name = 'ssm:/sinete/aging';
  vi.stubEnv('Vault__Key', name);
  stored.set('/sinete/aging', 'first');
  await readNamedValues(process.env, 0);
  refusal = 'AccessDeniedException';
  await freshen(name, 300_000, 300_001);
  expect(warnings).toEqual([{ names: [name], reason: 'AccessDeniedException: No.' }]);
  expect([namedValue(name, 300_001), ageMs(name, 300_001)]).toEqual(['first', 300_001]);
  await freshen(name, 300_000, 330_001);
  expect(requests).toHaveLength(2);
  refusal = undefined;
  stored.delete('/sinete/aging');
  await freshen(name, 300_000, 330_002);
  expect(warnings[1]).toEqual({ names: [name], reason: 'which Systems Manager does not know' });
  expect([namedValue(name, 330_002), ageMs(name, 330_002)]).toEqual(['first', 330_002]);
  stored.set('/sinete/aging', 'second');
  await freshen(name, 300_000, 360_003);
  expect([namedValue(name, 360_003), ageMs(name, 360_003)]).toEqual(['second', 0]);
  expect(warnings).toHaveLength(2);
});

describe('a start', () => {
  test('in a crowd is throttled by Systems Manager five times, and goes on', async () => {
    // The pauses between attempts are random: none here.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    stored.set('/sinete/crowd', 'read at last');
    throttled = 5;
    await readNamedValues({ Vault__Key: 'ssm:/sinete/crowd' });
    random.mockRestore();
    expect([namedValue('ssm:/sinete/crowd'), requests.length]).toEqual(['read at last', 6]);
  });

  test('fails where the store refuses', async () => {
    refusal = 'AccessDeniedException';
    await expect(readNamedValues({ Vault__Key: 'ssm:/sinete/denied' })).rejects.toThrow('No.');
  });

  test('names the setting whose parameter does not exist, and what to do', async () => {
    vi.stubEnv('Vault__Key', 'ssm:/sinete/none');
    await readNamedValues();
    expect(() => settings[MANUAL].check()).toThrow(
      'Setting Vault:Key (Vault__Key) names ssm:/sinete/none, which Systems Manager does not know. Store the value there, or name where it is.',
    );
  });

  test('prints no value that was kept elsewhere, of whatever setting', async () => {
    const counted = defineSettings('session', {
      'Vault:Count': {
        ...text('', ''),
        parse: () => {
          throw new Error('must be a number');
        },
      },
    });
    stored.set('/sinete/count', 'planted');
    vi.stubEnv('Vault__Count', 'ssm:/sinete/count');
    await readNamedValues();
    expect(() => counted[MANUAL].check()).toThrow(
      /^Setting Vault:Count \(Vault__Count\) must be a number; the value given is not\.$/,
    );
  });

  test('does without a value that is withheld, which is refused where it is read', () => {
    vi.stubEnv('Vault__Key', 'withheld:');
    vi.stubEnv('Vault__Place', 'here');
    expect(() => settings[MANUAL].check()).not.toThrow();
    expect(() => settings['Vault:Key']).toThrow(
      'Setting Vault:Key (Vault__Key) names withheld:, which this function does not get.',
    );
  });
});
