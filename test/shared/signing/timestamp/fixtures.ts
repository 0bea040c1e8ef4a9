import {
  answerTimestamp,
  type TimestampAuthority,
} from '../../../../functions/sandbox/authority/domain/issuing/timestamp.ts';
import type { TimestampSettings } from '../../../../shared/signing/timestamp/client.ts';
import { keyOf, pki } from '../cms/fixtures.ts';

export const POLICY = '2.16.76.1.6.999';

let serialNumber = 0n;

export const authority: TimestampAuthority = {
  key: keyOf(pki.timestampAuthority()),
  policy: POLICY,
  now: Date.now,
  nextSerialNumber: () => ++serialNumber,
};

/** Client settings that reach this authority without a network. */
export const reaching = (of: Partial<TimestampAuthority> = {}): TimestampSettings => ({
  authorities: [{ url: 'http://tsa.example/stamp' }],
  post: async (_, body) => ({ status: 200, bytes: await answerTimestamp(body, { ...authority, ...of }) }),
  wait: async () => undefined,
});
