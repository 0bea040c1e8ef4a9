import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkAllSettings, manuals, runSettings, unknownSettings } from '../../infra/settings.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { command } from './child.ts';

const list = command('infra/settings.ts');

// The specification's own settings that exist so far, with the defaults it gives.
const SPECIFIED = [
  'Throttle:ConcurrencyLimit = 200',
  'Throttle:QueueLimit = 50',
  'Authentication:NonceLifetime = 600 s',
  'Auth:ApiKey = empty',
  'Auth:ApiKeyHeader = X-API-Key',
  'Swagger:EnabledInProduction = false',
  'Pipeline:MaxConcurrency = 1',
  'Metrics:RequireApiKey = true',
  'Readiness:RequireApiKey = false',
  'RateLimiting:Upload:PermitLimit = 30',
  'RateLimiting:Upload:Window = 60 s',
  'RateLimiting:Actions:PermitLimit = 60',
  'RateLimiting:Actions:Window = 60 s',
  'RateLimiting:Export:PermitLimit = 10',
  'RateLimiting:Export:Window = 60 s',
  'RateLimiting:PermitLimit = 60',
  'RateLimiting:Window = 60 s',
];

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('npm run settings', () => {
  test('lists every setting with its default, its unit, its variable and its reason', async () => {
    const { code, out } = await list();
    expect(code).toBe(0);
    for (const { table } of await manuals()) {
      for (const [name, { unit, why }] of Object.entries(table)) {
        const lines = out.split('\n');
        const at = lines.findIndex((line) => line.startsWith(`  ${name} = `));
        expect(lines[at]).toContain(`(${unit}; ${name.replaceAll(':', '__')})`);
        expect(out).toContain(`\n      ${why}`);
      }
    }
    for (const line of SPECIFIED) expect(out).toContain(`  ${line}  (`);
  });

  test.each([
    [['--help'], 0, /^Lists every setting with its default, or those of one service\.\n/],
    [['sandbox'], 0, /\nsandbox\n {2}Authority:KeyFolder = /],
    [['docments'], 1, /^docments is no service\. Did you mean documents\? See: npm run settings -- --help$/],
    [['documents', 'hub'], 1, /^One service is listed at a time\./],
    [['--hepl'], 1, /^Unknown option '--hepl'\. Did you mean --help\?/],
  ] as const)('%j is understood, or refused in one line', async (words, code, text) => {
    const printed: string[] = [];
    const output = {
      print: (line: string) => printed.push(line),
      printError: (line: string) => printed.push(line),
    };
    expect(await runSettings(words, output)).toBe(code);
    expect(printed).toEqual([expect.stringMatching(text)]);
    if (words[0] === 'sandbox') expect(printed[0]).not.toContain('Throttle:');
  });

  test('says what a setting is by default, whatever is set, and prints no secret', async () => {
    const env = { ...process.env, Auth__ApiKey: 'a-very-secret-operator-key', Throttle__QueueLimit: '7' };
    const { out } = await command('infra/settings.ts', { env })();
    expect(out).not.toContain('a-very-secret-operator-key');
    expect(out).toContain('Throttle:QueueLimit = 50');
  });

  test('every service has its settings file, and every setting a reason that is a sentence', async () => {
    const all = await manuals();
    expect(all.map(({ owner }) => owner).toSorted()).toEqual(['common', 'sandbox', ...SERVICES].toSorted());
    for (const { why } of all.flatMap(({ table }) => Object.values(table)))
      expect(why).toMatch(/^[A-Z].{10,}\.$/);
  });
});

describe('the check at the start', () => {
  test('passes on the defaults', async () => {
    await expect(checkAllSettings()).resolves.toBeUndefined();
  });

  test.each([
    [
      'Throttle__ConcurrencyLimit',
      'abc',
      /^Setting Throttle:ConcurrencyLimit \(Throttle__ConcurrencyLimit\) .*"abc"/,
    ],
    ['documents__Uploads__MaxBytes', '10MB', /^Setting Uploads:MaxBytes .*"10MB"/],
    ['Auth__ApiKey', 'short', /^Setting Auth:ApiKey \(Auth__ApiKey\) must have at least 16 characters/],
    ['Pipeline__MaxConcurrency', '33', /^Setting Pipeline:MaxConcurrency .*from 1 to 32/],
  ])('stops at %s=%s with one line that names the setting', async (variable, value, complaint) => {
    vi.stubEnv(variable, value);
    await expect(checkAllSettings()).rejects.toThrow(complaint);
  });
});

describe('a variable that is no setting', () => {
  test('is told at the start, with the setting that was meant where one is near', async () => {
    const env = {
      Throttle__QueueLimit: '7',
      Uploads__MaxByte: '5',
      sesion__Log__Level: 'INFO',
      Nothing__Like: '',
    };
    expect(await unknownSettings(env)).toEqual([
      'Uploads__MaxByte is no setting, and changes nothing. Did you mean Uploads__MaxBytes? npm run settings lists them.',
      'sesion__Log__Level is no setting, and changes nothing. npm run settings lists them.',
      'Nothing__Like is no setting, and changes nothing. npm run settings lists them.',
    ]);
  });

  test("is passed over where it is the engine's or another program's", async () => {
    const others = [
      'Local__DataDir',
      'Local__Dynamo',
      'CI__JOB_ID',
      '__CF_USER_TEXT_ENCODING',
      'npm_config__jsr_registry',
      'PATH',
    ];
    expect(await unknownSettings(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });
});
