import { expect, test } from 'vitest';
import { MAX_STATE_CHARACTERS, MAX_URI_CHARACTERS } from '../../../../functions/hub/contract.ts';
import { newAuthorization } from '../../../../functions/hub/domain/authorization.ts';
import { MAX_PROVIDERS } from '../../../../functions/hub/domain/providers/provider.ts';

const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024; // DynamoDB's
const KEYS_AND_NAMES_BYTES = 1_000;

test('a creation with the largest custom state at as many providers as there can be is one transaction', () => {
  const wish = {
    application: 'a'.repeat(64),
    redirectUri: `https://app.example/${'\u4e00'.repeat(MAX_URI_CHARACTERS - 20)}`,
    type: 'AuthenticationSession',
    lifetimeSeconds: 2_592_000,
    expiresAtMs: Date.now(),
  } as const;
  // JSON writes six characters for one of these.
  const { authorization } = newAuthorization('p'.repeat(40), wish, '\u0001'.repeat(MAX_STATE_CHARACTERS));
  const bytes = Buffer.byteLength(JSON.stringify(authorization)) + KEYS_AND_NAMES_BYTES;
  expect(bytes * MAX_PROVIDERS).toBeLessThan(MAX_TRANSACTION_BYTES);
});
