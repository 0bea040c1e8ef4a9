import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HUB_OPTIONS } from '../../../cli/admin/hub/options.ts';
import { SHARE_OPTIONS } from '../../../cli/admin/shares/options.ts';
import { shares } from '../../../functions/batch/storage/domain/share.ts';
import { ring } from '../../certificates/rings.ts';
import { type ShareServer, startShareServer } from '../../functions/batch/shares/share-server.ts';
import { ownStores } from '../../functions/own-stores.ts';
import { command } from '../../infra/child.ts';
import { forFile } from '../../runner/for-file.ts';
import { commandsOf } from './in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-admin-shares-'));
await forFile(ownStores());
const [server, secure] = await Promise.all([
  forFile(startShareServer()),
  forFile(startShareServer({ tls: true })),
]);
beforeEach(async () => {
  vi.stubEnv('THE_SECRET', server.secretAccessKey);
  vi.stubEnv('Access__CacheSeconds', '0');
  await server.misbehave();
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true }));

const batch = commandsOf('batch');
/** As the command line reads it, without a process for each. */
const parsed = (words: string[]) => {
  const options = { ...HUB_OPTIONS, ...SHARE_OPTIONS } as const;
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  return [['shares', ...positionals], { shares: values }] as const;
};
const done = (...words: string[]) => batch.done(...parsed(words));
const refused = (...words: string[]) => batch.refused(...parsed(words));

const FROM_ENV = ['--secret-env', 'THE_SECRET'];
const factsOf = ({ endpoint, bucket, accessKeyId }: ShareServer): string[] => [
  '--endpoint',
  endpoint,
  '--bucket',
  bucket,
  '--access-key-id',
  accessKeyId,
];
/** The facts of the server with one of them changed. */
const factsWith = (option: string, value: string): string[] => {
  const facts = factsOf(server);
  const at = facts.indexOf(option);
  return at < 0 ? [...facts, option, value] : facts.with(at + 1, value);
};

describe('npm run admin -- shares', () => {
  test('adds a share, lists it without its secret, replaces it with and without a secret, and removes it', async () => {
    expect(await done('add', 'acme', ...factsOf(server), ...FROM_ENV)).toBe(
      'Added acme.\nThen try it: npm run admin -- shares test acme',
    );
    const added = await shares.get('acme');
    expect(added?.sealedSecret).not.toContain(server.secretAccessKey);
    const listed = await done('list');
    expect(listed).toBe(`acme  ${server.endpoint}/entrada  region us-east-1; key ${server.accessKeyId}`);
    expect(
      await done('add', 'acme', ...factsOf(server), '--prefix', 'a/b/', '--region', 'sa-east-1'),
    ).toContain('Replaced acme. Its secret is as it was.');
    expect(await shares.get('acme')).toMatchObject({
      prefix: 'a/b',
      region: 'sa-east-1',
      sealedSecret: added?.sealedSecret,
    });
    expect(await done('test', 'acme')).toContain('It works.');
    writeFileSync(join(folder, 'secret'), 'another-secret\n');
    expect(await done('add', 'acme', ...factsOf(server), '--secret-file', join(folder, 'secret'))).toContain(
      'Replaced acme.\n',
    );
    expect(await refused('test', 'acme')).toContain('refuses the key (SignatureDoesNotMatch)');
    expect(await done('remove', 'acme')).toBe(
      'Removed acme with its secret: jobs that wait for its files fail.',
    );
    expect(await done('list')).toBe('There are no shares.');
    expect(await refused('remove', 'acme')).toContain('There is no share "acme"');
  });

  test.each([
    ['--endpoint', 'ftp://host', '"ftp://host" is no address of an S3 server'],
    ['--endpoint', 'https://user:pass@host', 'is no address of an S3 server'],
    ['--endpoint', 'https://host/?x=1', 'is no address of an S3 server'],
    ['--bucket', 'a/b', 'is no bucket'],
    ['--bucket', 'a..b', 'is no bucket'],
    ['--prefix', '../other', '--prefix must have plain paths'],
    ['--prefix', 'a//b', '--prefix must have plain paths'],
    ['--region', 'são paulo', 'is no region'],
    ['--access-key-id', 'a key', 'is no access key id'],
    ['--ca-file', '/does/not/exist', '--ca-file /does/not/exist cannot be read: there is no such file.'],
    ['--ca-file', 'package.json', 'has no certificate authority in PEM'],
  ])('refuses %s %s', async (option, value, sentence) => {
    expect(await refused('add', 'wrong', ...factsWith(option, value), ...FROM_ENV)).toContain(sentence);
    expect(await shares.get('wrong')).toBeUndefined();
  });

  test('refuses a name that settings cannot hold, and a secret that is none', async () => {
    expect(await refused('add', 'Acme', ...factsOf(server), ...FROM_ENV)).toContain('cannot be a share');
    vi.stubEnv('THE_SECRET', '');
    expect(await refused('add', 'wrong', ...factsOf(server), ...FROM_ENV)).toContain('is empty');
    vi.stubEnv('THE_SECRET', server.secretAccessKey);
    vi.stubEnv('Sealing__Keys', '');
    await expect(done('add', 'wrong', ...factsOf(server), ...FROM_ENV)).rejects.toThrow(
      'Sealing:Keys (Sealing__Keys) is not set',
    );
  });

  test('warns of http, except on this machine', async () => {
    const warning = 'Warning: the address is http.';
    const added = (endpoint: string) =>
      done('add', 'plain', ...factsWith('--endpoint', endpoint), ...FROM_ENV);
    expect(await added('http://s3.example.com')).toContain(warning);
    expect(await added('http://10.0.0.7:9000')).toContain(warning);
    for (const own of [
      'http://localhost:9000',
      'http://127.0.0.1:9000',
      'http://[::1]:9000',
      'https://s3.example.com',
    ])
      expect(await added(own)).not.toContain(warning);
    await done('remove', 'plain');
  });

  test('does not remove a share that the settings name, unless forced', async () => {
    await done('add', 'used', ...factsOf(server), ...FROM_ENV);
    vi.stubEnv('Storage__Inputs', 'inbox=input/inbox,parceiro=share:used/entrada');
    expect(await refused('remove', 'used')).toContain('Storage:Inputs of the settings names the share used.');
    vi.stubEnv('Storage__Work', 'share:used');
    expect(await refused('remove', 'used')).toContain('Storage:Inputs and Storage:Work of the settings name');
    expect(await done('remove', 'used', '--force')).toContain('Removed used');
  });

  test('names a share whose secret does not open', async () => {
    await done('add', 'sealed', ...factsOf(server), ...FROM_ENV);
    vi.stubEnv('Sealing__Keys', ring(9));
    expect(await done('list')).toContain('its secret does not open: it is sealed with the key ');
    expect(await refused('test', 'sealed')).toContain('The secret of the share sealed does not open');
    await done('remove', 'sealed');
  });
});

describe('npm run admin -- shares test', () => {
  test('tells what a scan would take and what it would leave, and changes nothing', async () => {
    const at = server.at('dry');
    for (const name of [
      'a.pdf',
      'b.pdf.tmp',
      '~$c.docx',
      '.hidden',
      'deep/d.pdf',
      '1.xml',
      '2.xml',
      '3.xml',
      '4.xml',
      '5.xml',
    ])
      await at.put(name, Buffer.from(name), { contentType: 'application/pdf' });
    await done('add', 'dry', ...factsOf(server), ...FROM_ENV, '--prefix', 'dry');
    await server.requests();
    const [, ...lines] = (await done('test', 'dry')).split('\n');
    expect(lines).toEqual([
      'all of it: 10 files',
      '  signed      6: 1.xml, 2.xml, 3.xml, 4.xml, 5.xml, …',
      '  ignored     3: .hidden, b.pdf.tmp, ~$c.docx',
      '  in folders  1: deep/d.pdf',
      'It works. Nothing was taken, written or deleted.',
    ]);
    expect((await server.requests()).filter((each) => !/^(GET|HEAD) /.test(each))).toEqual([]);

    vi.stubEnv('Storage__Inputs', 'fundo=share:dry/deep');
    expect(await done('test', 'dry')).toContain('folder fundo: 1 file\n  signed      1: d.pdf');
    await server.misbehave({ method: 'HEAD', does: 'other-tag' });
    expect(await done('test', 'dry')).toContain('Warning: a file has another entity tag each time.');
  });

  const refusedBy = async (...facts: string[]): Promise<string> => {
    await done('add', 'faulty', ...facts, ...FROM_ENV);
    return refused('test', 'faulty');
  };

  test('names what is wrong with the key, the bucket, the clock and the server', async () => {
    expect(await refusedBy(...factsWith('--access-key-id', 'AKWRONG'))).toBe(
      'The share faulty refuses the key (InvalidAccessKeyId). Add it again with the right --access-key-id and secret.',
    );
    expect(await refusedBy(...factsWith('--bucket', 'no-such-bucket'))).toContain(
      'has no such bucket. Correct --bucket',
    );
    await server.misbehave({ does: { answer: 403, code: 'RequestTimeTooSkewed' } });
    expect(await refusedBy(...factsOf(server))).toContain('Set the clock of this machine');
    await server.misbehave({ does: { answer: 403, code: 'AccessDenied' } });
    expect(await refusedBy(...factsOf(server))).toContain('Grant the rights of docs/shares.md');
    await server.misbehave({ does: { answer: 301, code: 'PermanentRedirect' } });
    expect(await refusedBy(...factsOf(server))).toContain(
      'is in another region (PermanentRedirect). Correct --region',
    );
    await server.misbehave({ does: { answer: 503, code: 'SlowDown' } });
    expect(await refusedBy(...factsOf(server))).toContain('answers 503 (SlowDown)');
    expect(await refused('test', 'unknown')).toContain('There is no share unknown. Add it');
  });

  test('names an address at which nobody answers, and one without a name', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await new Promise((ready) => gone.once('listening', ready));
    const { port } = gone.address() as { port: number };
    await new Promise((closed) => gone.close(closed));
    expect(await refusedBy(...factsWith('--endpoint', `http://127.0.0.1:${port}`))).toContain(
      'is not reachable (ECONNREFUSED). Is its server running',
    );
    expect(await refusedBy(...factsWith('--endpoint', 'http://share.invalid'))).toMatch(
      /its host name is not known \((ENOTFOUND|EAI_AGAIN)\)/,
    );
  });

  test('names a certificate that is not trusted, and trusts the authority of --ca-file', async () => {
    vi.stubEnv('THE_SECRET', secure.secretAccessKey);
    expect(await refusedBy(...factsOf(secure))).toContain(
      'not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE). Add the share again with --ca-file',
    );
    expect(await refusedBy(...factsWith('--endpoint', server.endpoint.replace('http:', 'https:')))).toContain(
      'does not speak TLS there',
    );
    await done('add', 'secure', ...factsOf(secure), ...FROM_ENV, '--ca-file', secure.authorityFile ?? '');
    expect(await done('test', 'secure')).toContain('It works.');
    expect(await done('list')).toContain('own authority');
  });
});

test('the command line takes these options, and no secret', async () => {
  const admin = command('cli/admin/admin.ts', {
    env: { ...process.env, THE_SECRET: server.secretAccessKey },
  });
  expect(await admin('shares', 'add', 'typed', ...factsOf(server), ...FROM_ENV)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Added typed.'),
  });
  expect(await admin('shares', 'test', 'typed')).toMatchObject({ code: 0 });
  const { code, error } = await admin('shares', 'add', 'typed', ...factsOf(server), '--secret', 'hunter2');
  expect(code).toBe(1);
  expect(error).not.toContain('hunter2');
});
