import { afterEach, expect, test, vi } from 'vitest';
import { platformAccessOf, platformKeyRule, platformSettings } from '../../../shared/platform/settings.ts';
import { defineSettings } from '../../../shared/settings/settings.ts';

const settings = defineSettings('batch', platformSettings, [platformKeyRule]);
const access = platformAccessOf(settings);

afterEach(() => vi.unstubAllEnvs());

test('without an address, the platform is this deployment’s own', () => {
  vi.stubEnv('Http__PublicUrl', 'https://sinete.example/');
  expect({ ...access }).toEqual({
    address: 'https://sinete.example/documents',
    apiKey: '',
    requestTimeoutMs: 10_000,
  });
});

test('the settings are read at each call', () => {
  vi.stubEnv('Signer__BaseAddress', 'https://platform.example/');
  vi.stubEnv('Signer__ApiKey', 'app|secret');
  vi.stubEnv('Signer__RequestTimeout', '00:00:03');
  expect({ ...access }).toEqual({
    address: 'https://platform.example',
    apiKey: 'app|secret',
    requestTimeoutMs: 3_000,
  });
});

test('an address needs its key', () => {
  vi.stubEnv('Signer__BaseAddress', 'https://platform.example/');
  expect(platformKeyRule(settings)).toContain('Signer:ApiKey');
  vi.stubEnv('Signer__ApiKey', 'app|secret');
  expect(platformKeyRule(settings)).toBeUndefined();
});
