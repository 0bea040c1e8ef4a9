import { describe, expect, test } from 'vitest';
import { clockAhead } from '../session/own-settings.ts';
import { anotherKey } from './another-key.ts';
import {
  aSession,
  authUrlAt,
  certificateOf,
  certificateV2Of,
  comeBack,
  customStateOf,
  decideAtProvider,
  refusal,
  returnedQuery,
  signHash,
  toSign,
} from './calls.ts';
import { useHubStage } from './stage.ts';

const stage = useHubStage();

const UNUSABLE = [422, 'SessionInvalidOrAlreadyUsed'];
const EXPIRED = [422, 'SessionExpired'];
const DAY_MS = 86_400_000;

/** What the three operations that reach for the provider say. */
const uses = async (session: string, key?: string) =>
  Promise.all([
    certificateOf(session, key).then(refusal),
    certificateV2Of(session, key).then(refusal),
    signHash(toSign(session), key).then(refusal),
  ]);
const all = (said: unknown) => [said, said, said];

/** The provider grants this many seconds, whatever was asked for. */
const grant = (seconds: unknown) => {
  stage.providers.interfere = (call) =>
    call.endsWith(' token')
      ? { instead: (given) => JSON.stringify({ ...JSON.parse(given), expires_in: seconds }) }
      : undefined;
};

describe('the lifetime of a session', () => {
  test('is over: SessionExpired wherever the provider is needed, and the custom state is still answered', async () => {
    const session = await aSession({ lifetimeInSeconds: 600, customState: 'mine' });
    clockAhead(590_000);
    expect((await certificateOf(session)).status).toBe(200);
    clockAhead(11_000);
    expect(await uses(session)).toEqual(all(EXPIRED));
    expect((await customStateOf(session)).json()).toBe('mine');
    expect(stage.providers.calls.filter((call) => call === 'alpha signature')).toEqual([]);
  });

  test('is five minutes where none is asked for', async () => {
    const session = await aSession();
    clockAhead(290_000);
    expect((await certificateOf(session)).status).toBe(200);
    clockAhead(11_000);
    expect(await uses(session)).toEqual(all(EXPIRED));
  });

  test('is what the provider grants, where that is less', async () => {
    grant(10);
    const session = await aSession({ lifetimeInSeconds: 3600 });
    clockAhead(11_000);
    expect(await uses(session)).toEqual(all(EXPIRED));
  });

  test.each([7200, undefined, null])('is what was asked for, where the provider says %j', async (seconds) => {
    grant(seconds);
    const session = await aSession({ lifetimeInSeconds: 3600, type: 'SignatureSession' });
    clockAhead(3_590_000);
    // The provider's own token lives on; whether the session does is the hub's to say.
    expect((await customStateOf(session)).status).toBe(200);
    expect(refusal(await certificateOf(session))[0]).toBe(200);
    clockAhead(11_000);
    expect(await uses(session)).toEqual(all(EXPIRED));
  });

  // created |-------- lifetime --------|
  //                                        the user comes back |--first use: SessionExpired
  test('counts from the creation: a user who took long is back with a session that is expired at its first use', async () => {
    const authUrl = await authUrlAt('alpha', { lifetimeInSeconds: 120, customState: 'late' });
    clockAhead(121_000);
    const { session = '' } = returnedQuery(await comeBack(await decideAtProvider(authUrl)));
    expect(session).toMatch(/^[\w-]{43}$/);
    expect(stage.providers.calls).toEqual(['alpha authorize']);
    expect(await uses(session)).toEqual(all(EXPIRED));
    expect((await customStateOf(session)).json()).toBe('late');
  });

  test('that is over is told before that the session was used', async () => {
    const session = await aSession();
    await signHash(toSign(session));
    expect(await uses(session)).toEqual(all(UNUSABLE));
    clockAhead(301_000);
    expect(await uses(session)).toEqual(all(EXPIRED));
    expect(refusal(await customStateOf(session))).toEqual(UNUSABLE);
  });

  test('has been over for a day: the session is unknown, whatever the store has cleared away', async () => {
    const session = await aSession({ customState: 'old' });
    clockAhead(300_000 + DAY_MS);
    expect(await uses(session)).toEqual(all(UNUSABLE));
    expect(refusal(await customStateOf(session))).toEqual(UNUSABLE);
  });
});

describe('a session that the provider accepts no more', () => {
  const reject = () => {
    stage.providers.interfere = () => ({ status: 401, body: '{"error":"invalid_token"}' });
  };

  test.each([1, 3])('is SessionInvalidOrAlreadyUsed from then on, of the type %i', async (type) => {
    const session = await aSession({ type, customState: 'gone' });
    reject();
    expect(refusal(await signHash(toSign(session)))).toEqual(UNUSABLE);
    stage.providers.interfere = () => undefined;
    stage.providers.calls.length = 0;
    expect(await uses(session)).toEqual(all(UNUSABLE));
    expect(refusal(await customStateOf(session))).toEqual(UNUSABLE);
    expect(stage.providers.calls).toEqual([]);
  });

  test('is so for a reader of the certificate too', async () => {
    const session = await aSession();
    reject();
    expect(refusal(await certificateOf(session))).toEqual(UNUSABLE);
    stage.providers.interfere = () => undefined;
    expect(await uses(session)).toEqual(all(UNUSABLE));
  });

  test('was expired, where its time went by while the provider was asked', async () => {
    const session = await aSession({ type: 'SignatureSession', lifetimeInSeconds: 60 });
    stage.providers.interfere = () => {
      clockAhead(61_000);
      return { status: 401, body: '{"error":"invalid_token"}' };
    };
    expect(refusal(await certificateOf(session))).toEqual(EXPIRED);
  });
});

describe('a session and an application', () => {
  test('does not exist for the key of another, and stays as it was for its own', async () => {
    const key = await anotherKey('somebody-else');
    const session = await aSession({ customState: 'mine', type: 'SignatureSession' });
    expect(await uses(session, key)).toEqual(all(UNUSABLE));
    expect(refusal(await customStateOf(session, key))).toEqual(UNUSABLE);
    const theirs = await aSession({}, { key });
    expect(await uses(theirs)).toEqual(all(UNUSABLE));
    expect((await customStateOf(session)).json()).toBe('mine');
    expect((await uses(session)).map(([status]) => status)).toEqual([200, 200, 200]);
  });

  test.each(['', 'A'.repeat(43), 'no such session', 'x'.repeat(5000)])('%j names none', async (value) => {
    const expected = value === '' ? 400 : 422;
    expect((await uses(value)).map(([status]) => status)).toEqual(all(expected));
    expect((await customStateOf(value)).status).toBe(expected);
  });
});
