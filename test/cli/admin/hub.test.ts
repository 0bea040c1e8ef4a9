import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { commandFor } from '../../../cli/admin/commands.ts';
import { HUB_OPTIONS } from '../../../cli/admin/hub/options.ts';
import { secretOf } from '../../../functions/hub/domain/providers/client-secret.ts';
import { findProvider } from '../../../functions/hub/domain/providers/provider.ts';
import { writePem } from '../../../shared/pki/pem.ts';
import { testPki } from '../../certificates/pki.ts';
import { json, raw, SECRET, startProvider } from '../../functions/hub/domain/providers/a-provider.ts';
import { ownStores } from '../../functions/own-stores.ts';
import { command } from '../../infra/child.ts';

let at: Awaited<ReturnType<typeof startProvider>>;
let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await ownStores();
  at = await startProvider();
});
beforeEach(() => {
  vi.stubEnv('THE_SECRET', SECRET);
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
});
afterAll(async () => {
  await at.stop();
  await stop();
});

const folder = mkdtempSync(join(tmpdir(), 'sinete-admin-hub-'));
afterAll(() => rmSync(folder, { recursive: true }));

const newName = () => `t-${randomUUID().slice(0, 8)}`;

/** As the command line reads it, without a process for each. */
async function done(...words: string[]): Promise<string> {
  const options = { ...HUB_OPTIONS, identifier: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  const { run, rest } = commandFor(['hub', 'providers', ...positionals]);
  const none = { expires: undefined, identifier: undefined, owner: undefined, pin: {} };
  return run({ service: 'hub', permissions: [], ...none, hub: values }, ...rest);
}

const refused = (...words: string[]): Promise<string> =>
  done(...words).then(
    (said) => {
      throw new Error(`It should have been refused: ${said}`);
    },
    (error: Error) => error.message,
  );

const facts = () => ['--url', `${at.url}/v0/oauth/`, '--company', 'A Company', '--client-id', 'hub-client'];
const fromEnv = ['--secret-env', 'THE_SECRET'];

describe('npm run admin -- hub providers', () => {
  test('adds a provider, shows everything of it but the secret, and removes it', async () => {
    const name = newName();
    const added = await done(
      ...['add', name, ...facts(), ...fromEnv, '--hash-encoding', 'hex', '--token-body', 'json'],
      ...['--hashes', '5', '--no-alias', '--discovery', 'application-token', '--timeout', 'signature=60'],
    );
    expect(added).toContain(`Added ${name} at ${at.url}/v0/oauth.`);
    expect(added).toContain('/hub/api/sessions/callback');
    const stored = await findProvider(name);
    expect(stored).toMatchObject({
      baseUrl: `${at.url}/v0/oauth`,
      hashEncoding: 'hex',
      tokenBody: 'json',
      hashesPerCall: 5,
      sendsAlias: false,
      discovery: 'application-token',
      timeouts: { signatureSeconds: 60 },
    });
    expect(stored && (await secretOf(stored))).toBe(SECRET);

    const [listed, shown] = [await done('list'), await done('show', name.toUpperCase())];
    expect(listed).toContain(`${name}  A Company  ${at.url}/v0/oauth  discovery: application-token`);
    expect(shown).toMatch(/^client secret {3}sealed$/m);
    expect(shown).toMatch(/^time-outs {7}signature 60 s$/m);
    for (const text of [added, listed, shown]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(stored?.sealedSecret);
    }
    expect(await done('remove', name)).toBe(
      `Removed ${name}: it is no longer offered, and its sessions are refused.`,
    );
    expect(await findProvider(name)).toBeUndefined();
  });

  test('takes the secret from a file or a variable', async () => {
    const [name, file] = [newName(), join(folder, 'secret')];
    writeFileSync(file, `${SECRET}\n`, { mode: 0o600 });
    await done('add', name, ...facts(), '--secret-file', file);
    expect(await done('add', name, ...facts(), ...fromEnv, '--replace')).toMatch(/^Replaced /);
    const stored = await findProvider(name);
    expect(stored && (await secretOf(stored))).toBe(SECRET);
    expect(await refused('add', name, ...facts(), '--secret-env', 'NO_SUCH')).toContain(
      'no variable NO_SUCH',
    );
  });

  test('says no in one line to what is wrong', async () => {
    const name = newName();
    const add = (...words: string[]) => refused('add', name, ...facts(), ...fromEnv, ...words);
    expect(await add('--hash-encoding', 'rot13')).toBe('--hash-encoding is one of: base64, hex.');
    expect(await add('--timeout', 'lunch=60')).toMatch(/^Write --timeout KIND=SECONDS/);
    expect(await add('--url', 'https://p.example')).toMatch(/up to and with \/oauth/);
    expect(await add('--timeout', 'signature=200')).toMatch(/^The time-out of signature is 200/);
    expect(await refused('show', name)).toMatch(/^There is no provider/);
    expect(await refused('add')).toMatch(/^Usage: npm run admin -- hub providers add NAME$/);
    vi.stubEnv('Network__AllowPrivateAddresses', 'false');
    expect(await add()).toMatch(/is not https/);
    expect(await findProvider(name)).toBeUndefined();
  });
});

test('the command itself takes a private address on this machine, and no secret as an argument', async () => {
  const name = newName();
  vi.stubEnv('Network__AllowPrivateAddresses', undefined);
  const admin = command('cli/admin/admin.ts');
  const { code, out } = await admin('hub', 'providers', 'add', name, ...facts(), ...fromEnv);
  expect([code, out.split('\n')[0]]).toEqual([0, expect.stringContaining(`Added ${name} at`)]);
  expect((await admin('hub', 'providers', 'list')).out).toContain(name);
  const loose = await admin('hub', 'providers', 'add', name, ...facts(), '--secret', SECRET);
  expect([loose.code, loose.error]).toEqual([1, expect.stringContaining("Unknown option '--secret'")]);
});

describe('npm run admin -- hub providers test', () => {
  const name = newName();
  test('is for a provider that was added', async () => {
    expect(await refused('test', name)).toMatch(/^There is no provider/);
    await done('add', name, ...facts(), ...fromEnv);
  });

  test('prints the address, TLS, the status, the time and the shape of the answer', async () => {
    at.answers(json({ status: 'S', slots: [{ slot_alias: 'secret alias', label: 'x' }] }));
    const seen = await done('test', name, '--identifier', '52998224725');
    expect(seen).toMatch(/^address {4}127\.0\.0\.1 is 127\.0\.0\.1$/m);
    expect(seen).toMatch(/^TLS {8}none: the address is http$/m);
    expect(seen).toMatch(/^discovery {2}200 in \d+ ms$/m);
    expect(seen).toMatch(
      /^answer {5}\{ status: string, slots: \[\{ slot_alias: string, label: string \}\] \}$/m,
    );
    expect(seen).toMatch(/^It works: it holds a certificate of 52998224725\.$/m);
    expect(seen).not.toContain('secret alias');
    expect(JSON.parse(at.got[0]?.body ?? '')).toMatchObject({ val_cpf_cnpj: '52998224725' });
  });

  test('prints what the provider calls things as text, in one line', async () => {
    const names = [
      'a\u001b[2J',
      'b\nIt works: it is fine.',
      'c\u202e',
      ...Array.from({ length: 30 }, (_, at) => `k${at}`),
    ];
    at.answers(json({ status: 'S', ...Object.fromEntries(names.map((each) => [each, 1])) }));
    const seen = await done('test', name);
    expect(seen).toContain(
      '{ status: string, "a\\u001b[2J": number, "b\\nIt works: it is fine.": number, "c?": number, k0',
    );
    expect(seen).toMatch(/k15: number, 14 more \}$/m);
    expect(seen.match(/^It works: /gm)).toHaveLength(1);
  });

  test('says clearly why it does not work', async () => {
    at.answers(json({ error: 'invalid_client' }, 401));
    expect(await refused('test', name)).toMatch(
      /^It does not work: .* answered discovery with 401 invalid_client/m,
    );
    at.answers(raw('<html>'));
    expect(await refused('test', name)).toMatch(/with a page instead of JSON/);
    at.answers(json({ found: true }));
    expect(await refused('test', name)).toMatch(
      /^answer {5}\{ found: boolean \}\nIt does not work: .*status/m,
    );
    expect(await refused('test', name, '--identifier', '123')).toMatch(/is no CPF or CNPJ/);
    vi.stubEnv('Network__AllowPrivateAddresses', 'false');
    expect(await refused('test', name)).toMatch(/not on the public internet/);
  });

  test('says when TLS is not to be trusted, and sends nothing then', async () => {
    const { certificate, privateKey } = testPki().holder();
    const cert = writePem('CERTIFICATE', certificate.der);
    let requests = 0;
    const secure = createServer(
      { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) },
      () => requests++,
    );
    await new Promise<void>((listening) => secure.listen(0, '127.0.0.1', listening));
    const other = newName();
    const { port } = secure.address() as AddressInfo;
    await done('add', other, ...facts(), ...fromEnv, '--url', `https://localhost:${port}/oauth`);
    expect(await refused('test', other)).toMatch(
      /^address {4}localhost is \S+\nIt does not work: TLS failed: /m,
    );
    expect(requests).toBe(0);
    secure.close();
  });

  test('offers a code that was never issued to a provider that has no discovery', async () => {
    const other = newName();
    await done('add', other, ...facts(), ...fromEnv, '--discovery', 'none');
    at.answers(json({ error: 'invalid_grant' }, 400));
    expect(await done('test', other)).toMatch(/^token {6}400 in \d+ ms\nIt works: it refuses a code/m);
    at.answers(json({ error: 'invalid_client' }, 401));
    expect(await refused('test', other)).toMatch(/It does not work: .*invalid_client.*client id/);
  });

  test('takes no other refusal of that code for a good answer', async () => {
    const other = newName();
    await done('add', other, ...facts(), ...fromEnv, '--discovery', 'none');
    at.answers(json({ error: 'invalid_request' }, 415));
    expect(await refused('test', other)).toMatch(/It does not work: .*invalid_request.*--token-body/);
  });
});
