import { afterAll, test } from 'vitest';
import { answeredWith, callLimits } from '../limit-calls.ts';
import { aSession, signHash, toSign } from './calls.ts';
import { useHubStage } from './stage.ts';

useHubStage();
const { requireAtMost, save } = callLimits();
afterAll(() => save('hub'));

const sign = async (session: string) => answeredWith(200, await signHash(toSign(session)));

test('a hash is signed with a session that signs for the first time with at most 3 calls', () =>
  requireAtMost(3, 'hub: sign a hash, first of a session', async () => {
    const session = await aSession({ type: 'SignatureSession' });
    return () => sign(session);
  }));

test('a further hash of a session is signed with two calls', async () => {
  const session = await aSession({ type: 'SignatureSession' });
  await requireAtMost(2, 'hub: sign a hash, next of a session', async () => () => sign(session));
});

test('a hash is signed with a session of a single use with at most 4 calls', () =>
  requireAtMost(4, 'hub: sign a hash, session of a single use', async () => {
    const session = await aSession({ type: 'SingleSignature' });
    return () => sign(session);
  }));
