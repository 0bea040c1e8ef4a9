import { afterEach, expect, test, vi } from 'vitest';
import { settings } from '../../../../../functions/hub/settings.ts';
import { MANUAL } from '../../../../../shared/settings/settings.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const check = () => settings[MANUAL].check();

test('a deployed hub does not start without a key to seal the secrets of providers with', () => {
  vi.stubEnv('Providers__SealingKey', '');
  expect(check).not.toThrow();
  vi.stubEnv('STAGE', 'prod');
  expect(check).toThrow('Setting Providers:SealingKey (Providers__SealingKey) is not set');
  vi.stubEnv('Providers__SealingKey', Buffer.alloc(32, 1).toString('base64'));
  expect(check).not.toThrow();
});

test.each(['a password', Buffer.alloc(16).toString('base64'), Buffer.alloc(33).toString('base64')])(
  'a sealing key is 32 bytes in base64, and what is none is not repeated: %s',
  (text) => {
    vi.stubEnv('Providers__SealingKey', text);
    expect(check).toThrow('Setting Providers:SealingKey (Providers__SealingKey) must be 32 bytes in base64');
    expect(check).not.toThrow(text);
  },
);
