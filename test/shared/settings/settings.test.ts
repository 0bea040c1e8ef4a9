import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  address,
  bytes,
  choice,
  cookieName,
  count,
  duration,
  flag,
  optional,
  requiredWhenDeployed,
  secret,
  timeZone,
} from '../../../shared/settings/kinds.ts';
import { defineSettings, MANUAL } from '../../../shared/settings/settings.ts';

const settings = defineSettings(
  'session',
  {
    'Sessions:DefaultDuration': duration('01:00:00', 'Default window.'),
    'Sessions:MaxDuration': duration('1.00:00:00', 'Longest window.'),
    'Sessions:SignatureAllowance': optional(count(1, 'Calls a session may make.', { min: 1 })),
    'Signing:MaxDocumentBytes': bytes(10_485_760, 'Largest document.'),
    'Vault:Enabled': flag(true, 'Vault custody.'),
    'Signer:ApiKey': secret('', 'Key of the platform.'),
    'Signer:BaseAddress': address('http://localhost:3000/documents', 'The platform.'),
    'Sessions:TimeZone': timeZone('America/Sao_Paulo', 'Whose midnight.'),
    'Auth:CookieName': cookieName('lbs-auth', 'A cookie.'),
    'Log:Colour': choice('Blue', ['Blue', 'Green'], 'A word.'),
  },
  [
    (values) =>
      values['Sessions:MaxDuration'] < values['Sessions:DefaultDuration']
        ? 'Sessions:MaxDuration must not be under Sessions:DefaultDuration.'
        : undefined,
  ],
);

afterEach(() => vi.unstubAllEnvs());

describe('settings', () => {
  test('have the specified defaults, durations in seconds', () => {
    expect(settings['Sessions:DefaultDuration']).toBe(3600);
    expect(settings['Sessions:MaxDuration']).toBe(86_400);
    expect(settings['Sessions:SignatureAllowance']).toBeUndefined();
    expect(() => settings[MANUAL].check()).not.toThrow();
  });

  test('are read from the environment, a colon being two underscores', () => {
    vi.stubEnv('Signing__MaxDocumentBytes', '2048');
    vi.stubEnv('Vault__Enabled', 'False');
    expect(settings['Signing:MaxDocumentBytes']).toBe(2048);
    expect(settings['Vault:Enabled']).toBe(false);
  });

  test('take durations as seconds or as hh:mm:ss', () => {
    vi.stubEnv('Sessions__DefaultDuration', '90');
    expect(settings['Sessions:DefaultDuration']).toBe(90);
    vi.stubEnv('Sessions__DefaultDuration', '00:02:30');
    expect(settings['Sessions:DefaultDuration']).toBe(150);
  });

  test('prefer the variable that names the service', () => {
    vi.stubEnv('Signer__BaseAddress', 'https://everyone.example/');
    vi.stubEnv('session__Signer__BaseAddress', 'https://session.example/');
    expect(settings['Signer:BaseAddress']).toBe('https://session.example');
  });

  test.each([
    ['Signing__MaxDocumentBytes', '10MB', /Signing:MaxDocumentBytes \(Signing__MaxDocumentBytes\).*"10MB"/],
    ['Signing__MaxDocumentBytes', '0', /at least 1/],
    ['Sessions__DefaultDuration', '1h', /whole number of seconds.*hh:mm:ss/],
    ['Vault__Enabled', 'yes', /true or false/],
    ['Signer__BaseAddress', 'localhost', /absolute http or https/],
    ['Sessions__TimeZone', 'America/Brasilia', /time zone of the IANA database/],
    ['Sessions__TimeZone', '', /time zone of the IANA database/],
    ['Auth__CookieName', 'a; Path=/', /a name of letters, digits and dashes/],
    ['Log__Colour', 'red', /one of Blue, Green/],
    ['Sessions__MaxDuration', '10', /must not be under Sessions:DefaultDuration/],
  ])('refuse %s=%s in one line that names the setting', (variable, value, complaint) => {
    vi.stubEnv(variable, value);
    expect(() => settings[MANUAL].check()).toThrow(complaint);
  });
});

describe('a setting that a deployment needs', () => {
  const [NEEDED, OTHER] = ['Sealing:Key', 'Other:Count'] as const;
  const needed = defineSettings(
    'hub',
    {
      [NEEDED]: requiredWhenDeployed(secret('', 'Seals.'), 'nothing is sealed without it.'),
      [OTHER]: count(1, 'Another.'),
    },
    [(values) => (values[NEEDED] === '' && values[OTHER] === 2 ? 'A rule of both.' : undefined)],
  );
  const check = () => needed[MANUAL].check();
  const complaint = 'Setting Sealing:Key (Sealing__Key) is not set: nothing is sealed without it.';

  test('is not asked for on the local stage', () => {
    expect(check).not.toThrow();
  });

  test.each([undefined, '', '  '])('stops a deployed stage where it is %j', (value) => {
    vi.stubEnv('STAGE', 'prod');
    vi.stubEnv('Sealing__Key', value);
    expect(check).toThrow(complaint);
    vi.stubEnv('hub__Sealing__Key', Buffer.alloc(32, 1).toString('base64'));
    expect(check).not.toThrow();
  });

  test('is taken as set where only the deployment knows its value, and its rules are left to the start', () => {
    vi.stubEnv('STAGE', 'prod');
    vi.stubEnv('Other__Count', '2');
    expect(() => needed[MANUAL].check(new Set(['hub__Sealing__Key']))).not.toThrow();
    expect(() => needed[MANUAL].check(new Set(['Elsewhere__Key']))).toThrow(complaint);
  });
});
