import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readFlags } from '../../../infra/host/config/flags.ts';
import { checkedConfig } from '../../../infra/host/host.ts';
import { bareEnvironment, command } from '../child.ts';
import { cleanUp, REQUIRED, temporaryFolder } from './host-process.ts';

afterAll(cleanUp);

const COMPLETE = `stage: prod
publicUrl: https://sign.example
data: data
settings:
${Object.entries(REQUIRED)
  .map(([name, value]) => `  ${name}: ${value}`)
  .join('\n')}
`;

function configWith(text: string): { readonly folder: string; readonly file: string } {
  const folder = temporaryFolder();
  const file = join(folder, 'sinete.yaml');
  writeFileSync(file, text);
  return { folder, file };
}

/** What `npm run serve -- --check` complains of in a file with this text, in this process: each takes two seconds to start. */
async function complaintOf(text: string, { args = [] as readonly string[], env = {} } = {}): Promise<string> {
  const { folder, file } = configWith(text);
  const before = { ...process.env };
  setEnvironment({ ...withoutSettings(), ...env });
  try {
    const flags = readFlags(['--check', '--config', file, ...args]);
    if (flags) await checkedConfig(flags);
    return '';
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '');
  } finally {
    setEnvironment(before);
  }
}

function setEnvironment(next: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, next);
}

const withoutSettings = () =>
  Object.fromEntries(Object.entries(bareEnvironment()).filter(([name]) => !name.includes('__')));

describe('a start', () => {
  const check = (text: string) =>
    command('infra/host/serve.mjs', { env: withoutSettings() })(
      ...['--check', '--config', configWith(text).file],
    );

  test('of a complete file is accepted', async () => {
    expect(await check(COMPLETE)).toMatchObject({ code: 0, error: '' });
  });

  test('names every required setting that is missing, at once', async () => {
    const { code, error } = await check('stage: prod\npublicUrl: https://sign.example\ndata: data\n');
    expect(code).toBe(1);
    for (const name of Object.keys(REQUIRED)) expect(error).toContain(`Setting ${name} `);
  });

  test('names every key that is unknown and every value that is wrong, each with its line', async () => {
    const complaint = await complaintOf(`stage: local
publicUrl: http://sign.example
listens: { port: 1 }
listen:
  prot: 80
trustedProxies: [everybody]
settings:
  Signer:ApiKeys: x
  Log:Level: { path: x }
`);
    expect(complaint.split('\n').toSorted()).toEqual([
      'sinete.yaml:1: stage: must be at most 16 lower-case letters, digits and hyphens, and not "local", which is the sandbox',
      'sinete.yaml:2: publicUrl: must be an https address: cookies and keys are sent over https alone (http is for localhost)',
      'sinete.yaml:3: listens is no key of this file. Did you mean listen?',
      'sinete.yaml:5: prot is no key of this file. Did you mean port?',
      'sinete.yaml:6: trustedProxies.0: must be an address or a network, such as 10.0.0.0/8',
      'sinete.yaml:8: Signer:ApiKeys is no setting. Did you mean Signer:ApiKey? npm run settings lists them.',
      'sinete.yaml:9: Log:Level must be a text, a number, true, false, or { file: PATH }.',
    ]);
  });

  test('takes a secret from a file, and an environment variable before the file', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'secrets'));
    writeFileSync(join(folder, 'secrets/key'), 'not a key\n');
    const text = COMPLETE.replace(
      /Sealing:Keys: .*/,
      `Sealing:Keys: { file: ${join(folder, 'secrets/key')} }`,
    );
    expect(await complaintOf(text)).toMatch(/Sealing:Keys .* must be lines of ID:KEY/);
    const env = { Sealing__Keys: REQUIRED['Sealing:Keys'] ?? '' };
    expect(await complaintOf(text, { env })).toBe('');
  });

  test('refuses a file that a setting names and that is not there', async () => {
    const text = COMPLETE.replace(/TrustAnchors: .*/, 'TrustAnchors: /no/such/roots.pem');
    expect(await complaintOf(text)).toContain('Certificates__TrustAnchors names the file /no/such/roots.pem');
  });

  test('refuses a certificate without its key, and one that cannot be used', async () => {
    expect(await complaintOf(COMPLETE, { args: ['--cert', 'a.pem'] })).toContain('--cert and --key');
    const root = join(import.meta.dirname, 'root.pem');
    expect(await complaintOf(COMPLETE, { args: ['--cert', root, '--key', root] })).toContain(
      'cannot be used for TLS',
    );
  });

  test('on stores elsewhere names what the environment lacks', async () => {
    expect(await complaintOf(`${COMPLETE}stores: aws\n`)).toMatch(/AWS_REGION[\s\S]*AWS_ACCOUNT_ID/);
    expect(await complaintOf(`${COMPLETE}stores: endpoints\n`)).toContain('AWS_ENDPOINT_URL');
  });
});
