import { beforeAll, describe, expect, test } from 'vitest';
import { handler as createUpload } from '../../../functions/documents/endpoints/uploads/create-upload-from-bytes.ts';
import { handler as getCustomState } from '../../../functions/hub/endpoints/get-custom-state.ts';
import { handler as getAuthentication } from '../../../functions/pki/authentication/endpoints/get-authentication.ts';
import { REFUSED_KEYS, SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { handler as getStatus } from '../../../functions/session/endpoints/get-status.ts';
import { seedSandbox } from '../../../infra/local/seed/seed.ts';
import { call } from '../../requests/http-event.ts';

const WRITE = { json: { bytes: 'eA==' } };
const OTHERS = [
  '',
  'sandbox',
  'sandbox|',
  '|sinete-local-key',
  'sandbox|another',
  'nobody|sinete-local-key',
  '../x|y',
];

// What differs from answer to answer by design.
const withoutIds = (text: string) => text.replace(/[0-9a-f-]{36}/g, 'id');

beforeAll(seedSandbox);

describe.each([
  ['session', getStatus, { query: { sessionId: 'x' } }],
  ['hub', getCustomState, { query: { session: 'x' } }],
  ['pki', getAuthentication, {}],
  ['documents', createUpload, WRITE],
] as const)('the %s service', (_, handler, REQUEST) => {
  test('refuses missing, unknown, revoked, expired and disabled keys with one and the same answer', async () => {
    const missing = await call(handler, REQUEST);
    expect(missing.status).toBe(401);
    for (const key of [...REFUSED_KEYS, ...OTHERS]) {
      const refused = await call(handler, { ...REQUEST, headers: { 'X-API-Key': key } });
      expect(refused.status).toBe(401);
      expect(withoutIds(refused.text)).toBe(withoutIds(missing.text));
      expect({ ...refused.headers, 'x-correlation-id': '' }).toEqual({
        ...missing.headers,
        'x-correlation-id': '',
      });
    }
  });

  test('accepts the key of the sandbox', async () => {
    const { status } = await call(handler, { ...REQUEST, headers: { 'x-api-key': SANDBOX_KEY } });
    expect([200, 422]).toContain(status);
  });
});
