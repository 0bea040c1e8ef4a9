import { beforeEach, describe, expect, test, vi } from 'vitest';
import { bioSessions } from '../../../../functions/pki/biometrics/domain/session.ts';
import { setDisabled, unregisterValue } from '../../../../shared/access/administration.ts';
import { forFile } from '../../../runner/for-file.ts';
import { application, aSubject, frames, type Kind, told, visitor } from './calls.ts';
import { anApplication, bioStage, ORIGIN, RETURN } from './stage.ts';

const stage = await forFile(bioStage());
const app = application(stage.key);
beforeEach(() => {
  stage.otherwise = () => undefined;
  stage.before = async () => undefined;
});

const begun = async (kind: Kind, body: object = {}) => visitor(await app.start(kind, body));
const statusOf = async (kind: Kind, sessionId: string) => (await app.read(kind, sessionId)).json();

describe('a session is created', () => {
  test.each(['liveness', 'enrollment'] as const)('for %s, with an address of its own', async (kind) => {
    const { sessionType, sessionId, sessionUrl } = (await app.start(kind)).json() as Record<string, string>;
    expect(sessionType).toBe(kind === 'liveness' ? 'Liveness' : 'Enrollment');
    expect(sessionUrl).toMatch(
      new RegExp(`^http://localhost:3000/pki/bio/sessions/${sessionId}\\?token=[\\w-]{43}$`),
    );
    expect(await statusOf(kind, sessionId ?? '')).toMatchObject({ sessionId, success: null, failure: null });
  });

  test('for a returnUrl or a trustedOrigin, and not for neither', async () => {
    expect((await app.start('liveness', { returnUrl: null, trustedOrigin: ORIGIN })).status).toBe(200);
    expect(told(await app.start('liveness', { returnUrl: undefined }))).toEqual([400, 'InvalidRequest']);
  });

  test.each(['http://localhost:9999/return', `${RETURN}x`, 'javascript:alert(1)'])(
    'not for the returnUrl %s, which is not registered to the letter',
    async (returnUrl) => {
      expect(told(await app.start('liveness', { returnUrl }))).toEqual([422, 'ReturnUrlNotRegistered']);
    },
  );

  test.each([
    'http://localhost:9999/',
    'http://localhost:99',
    'https://localhost:9999',
    'http://a;script-src *',
  ])('not for the trustedOrigin %s, which is not registered to the letter', async (trustedOrigin) => {
    expect(told(await app.start('liveness', { trustedOrigin }))).toEqual([422, 'TrustedOriginNotRegistered']);
  });

  test('only by an application with the permission', async () => {
    const other = application(await anApplication(['authentication']));
    for (const kind of ['liveness', 'enrollment'] as const) {
      expect(told(await other.start(kind))).toEqual([403, 'Forbidden']);
      expect(told(await other.complete(kind, 'x'))).toEqual([403, 'Forbidden']);
      expect((await other.read(kind, crypto.randomUUID())).status).toBe(403);
    }
    expect(told(await application('nobody|x').start('liveness'))).toEqual([401, 'Unauthorized']);
  });

  test('for an enrollment only with a subject, of a kind that is taken', async () => {
    expect(told(await app.start('enrollment', { subjectIdentifier: undefined }))).toEqual([
      400,
      'InvalidRequest',
    ]);
    vi.stubEnv('Biometrics__SubjectIdentifiers', 'CPF, Email');
    const subject = (subjectIdentifier: string) => app.start('enrollment', { subjectIdentifier });
    expect(told(await subject('11222333000181'))).toEqual([422, 'InvalidSubjectIdentifier']);
    expect(told(await subject('somebody'))).toEqual([422, 'InvalidSubjectIdentifier']);
    const { sessionId } = visitor(await subject('529.982.247-25'));
    expect(await statusOf('enrollment', sessionId)).toMatchObject({ subjectIdentifier: '52998224725' });
    vi.stubEnv('Biometrics__SubjectIdentifiers', '');
    expect((await subject('matricula 17')).status).toBe(200);
  });

  test('nowhere while there is no provider', async () => {
    vi.stubEnv('Biometrics__Provider', 'None');
    expect(told(await app.start('liveness'))).toEqual([422, 'BiometricsUnavailable']);
    vi.stubEnv('Biometrics__Provider', 'Http');
  });
});

describe('a person who passes', () => {
  test('comes back with a ticket that completes the session once', async () => {
    const person = await begun('liveness');
    expect(await person.attempt()).toMatchObject({ outcome: 'passed', failure: null });
    const onward = (await person.goOn()).json() as Record<string, string>;
    const ticket = onward.completeTicket ?? '';
    expect(onward).toMatchObject({ state: 'ended', success: true, trustedOrigin: null });
    expect(onward.returnUrl).toBe(
      `http://localhost:9999/return?from=app&completeTicket=${ticket}&sessionId=${person.sessionId}#top`,
    );
    const status = {
      sessionId: person.sessionId,
      success: true,
      resultDataAvailable: false,
      faceLivenessStatus: { provider: 'Sandbox', success: true, attemptCount: 1 },
      idCaptureStatus: null,
      failure: null,
      geolocations: [],
    };
    expect((await app.complete('liveness', ticket)).json()).toEqual(status);
    expect(told(await app.complete('liveness', ticket))).toEqual([422, 'TicketAlreadyUsed']);
    expect(await statusOf('liveness', person.sessionId)).toEqual(status);
    expect((await person.goOn()).json()).toEqual({ state: 'completed' });
  });

  // start  |--registered--|  the person is away  |--unregistered or disabled--|  return: no ticket
  test.each([
    ['address was unregistered', (name: string) => unregisterValue('pki', name, 'returnUrls', RETURN)],
    ['application was disabled', (name: string) => setDisabled('pki', name, true)],
  ])('gets no ticket where the %s meanwhile', async (_, end) => {
    const key = await anApplication();
    const person = visitor(await application(key).start('liveness'));
    await person.attempt();
    await end(key.split('|')[0] ?? '');
    expect((await person.goOn()).json()).toMatchObject({
      state: 'ended',
      success: true,
      returnUrl: null,
      completeTicket: null,
    });
    expect((await bioSessions.get(person.sessionId))?.ticketHash).toBeUndefined();
  });

  test('gives its ticket to the origin that is left, and is embedded by no other', async () => {
    const key = await anApplication();
    const name = key.split('|')[0] ?? '';
    const person = visitor(await application(key).start('liveness', { trustedOrigin: ORIGIN }));
    await person.attempt();
    const policy = async () => (await person.page()).headers['content-security-policy'];
    expect(await policy()).toContain(`frame-ancestors ${ORIGIN}`);
    await unregisterValue('pki', name, 'returnUrls', RETURN);
    expect((await person.goOn()).json()).toMatchObject({ returnUrl: null, trustedOrigin: ORIGIN });
    await unregisterValue('pki', name, 'trustedOrigins', ORIGIN);
    expect(await policy()).not.toContain(ORIGIN);
  });

  test('gives one winner of many that complete at once', async () => {
    const person = await begun('liveness');
    await person.attempt();
    const ticket = await person.ticket();
    const all = await Promise.all(Array.from({ length: 20 }, () => app.complete('liveness', ticket)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter((each) => told(each)[1] === 'TicketAlreadyUsed')).toHaveLength(19);
  });

  test('and opens the page again gets a new ticket, and the first is void', async () => {
    const person = await begun('liveness');
    await person.attempt();
    const [first, second] = [await person.ticket(), await person.ticket()];
    expect(told(await app.complete('liveness', first))).toEqual([422, 'InvalidTicket']);
    expect((await app.complete('liveness', second)).status).toBe(200);
  });

  test('is completed by their own application alone, as the kind of session that it is', async () => {
    const person = await begun('liveness');
    await person.attempt();
    const ticket = await person.ticket();
    const other = application(await anApplication());
    expect(told(await other.complete('liveness', ticket))).toEqual([422, 'InvalidTicket']);
    expect(told(await app.complete('enrollment', ticket))).toEqual([422, 'InvalidTicket']);
    expect(told(await other.read('liveness', person.sessionId))).toEqual([422, 'BioSessionNotFound']);
    expect(told(await app.read('enrollment', person.sessionId))).toEqual([422, 'BioSessionNotFound']);
    expect(told(await app.complete('liveness', 'nonsense'))).toEqual([422, 'InvalidTicket']);
    expect((await app.complete('liveness', ticket)).status).toBe(200);
  });
});

describe('an end without success', () => {
  const failures = [
    ['no-face', 'FaceNotFoundWithSufficientQuality', 3],
    ['capture-failed', 'FaceCaptureFailed', 3],
    ['flat', 'FaceLiveness2dFailed', 1],
  ] as const;

  test.each(failures)('after %s is %s', async (wish, failure, tries) => {
    const person = await begun('enrollment', { subjectIdentifier: aSubject(wish) });
    for (let n = 0; n < tries; n++) await person.attempt();
    const status = await app.complete('enrollment', await person.ticket());
    expect(status.json()).toMatchObject({
      success: false,
      failure,
      subjectId: null,
      livenessStatus: { success: false, attemptCount: tries },
    });
  });

  test('is SessionAborted where the person cancels, and FaceCaptureFailed where there is no camera', async () => {
    const [one, other] = [await begun('liveness'), await begun('liveness')];
    expect((await one.abort()).status).toBe(204);
    expect((await other.abort('CameraUnavailable')).status).toBe(204);
    expect((await one.goOn()).json()).toMatchObject({ state: 'ended', failure: 'SessionAborted' });
    expect((await other.goOn()).json()).toMatchObject({ state: 'ended', failure: 'FaceCaptureFailed' });
    expect(told(await one.abort())).toEqual([422, 'BadBioSessionOperation']);
  });

  test('is SessionAborted once the time is over, whoever asks first', async () => {
    const person = await begun('liveness');
    const session = await bioSessions.get(person.sessionId);
    if (!session) throw new Error('There is no session.');
    await bioSessions.change(session, { expiresAtMs: Date.now() - 1 });
    expect(told(await person.begin())).toEqual([422, 'BioSessionExpired']);
    expect(await statusOf('liveness', person.sessionId)).toMatchObject({
      success: false,
      failure: 'SessionAborted',
      faceLivenessStatus: null,
    });
    expect((await app.complete('liveness', await person.ticket())).status).toBe(200);
  });

  test('is known no more when its result is kept no longer', async () => {
    const person = await begun('liveness');
    const session = await bioSessions.get(person.sessionId);
    if (!session) throw new Error('There is no session.');
    await person.abort();
    const ticket = await person.ticket();
    const ended = await bioSessions.get(person.sessionId);
    if (ended) await bioSessions.change(ended, { expiresAtMs: Date.now() - 86_400_001 });
    expect(told(await app.complete('liveness', ticket))).toEqual([422, 'InvalidTicket']);
    expect(told(await app.read('liveness', person.sessionId))).toEqual([422, 'BioSessionNotFound']);
  });
});

describe('a document', () => {
  const wanted = (wish = '') => ({ captureIdentificationDocument: true, subjectIdentifier: aSubject(wish) });
  const both = () => ({ frames: frames(), document: frames()[0] });

  test('with the same face is told of beside the success', async () => {
    const person = await begun('liveness', wanted());
    expect(await person.attempt(both())).toMatchObject({ outcome: 'passed' });
    expect(await statusOf('liveness', person.sessionId)).toMatchObject({
      idCaptureStatus: { success: true, matchedFace: true, matchedFaceLevel: 99 },
    });
  });

  test('that does not come, or has no face, is DocumentCaptureFailed in the end', async () => {
    const person = await begun('enrollment', wanted());
    for (let n = 0; n < 2; n++)
      expect(await person.attempt()).toMatchObject({ outcome: 'again', verdict: 'noDocument' });
    expect(await person.attempt()).toMatchObject({ failure: 'DocumentCaptureFailed' });
    expect(await statusOf('enrollment', person.sessionId)).toMatchObject({
      idCaptureStatus: { success: false, matchedFace: false, matchedFaceLevel: null },
    });
  });

  test('of somebody else is FaceIdentityVerificationFailed at once', async () => {
    const person = await begun('enrollment', wanted('other-person'));
    expect(await person.attempt(both())).toMatchObject({ failure: 'FaceIdentityVerificationFailed' });
    expect(await statusOf('enrollment', person.sessionId)).toMatchObject({
      idCaptureStatus: { success: true, matchedFace: false, matchedFaceLevel: 12 },
      livenessStatus: { success: true },
    });
  });
});

describe('where the person is', () => {
  test('is needed before a try where the session requires it', async () => {
    const person = await begun('liveness', { geolocationCaptureType: 'Required' });
    expect(told(await person.begin())).toEqual([422, 'GeolocationRequired']);
    await person.locate();
    await person.attempt();
    expect(await statusOf('liveness', person.sessionId)).toMatchObject({
      success: true,
      geolocations: [{ device: 'Capture', latitude: -23.5, longitude: -46.6, accuracyMeters: 12 }],
    });
  });

  test('is taken from other devices and from sessions that ask only where those do', async () => {
    const [none, here, all] = [
      await begun('liveness'),
      await begun('liveness', { geolocationCaptureType: 'Optional' }),
      await begun('liveness', {
        geolocationCaptureType: 'BestEffort',
        geolocationCapturePolicy: 'CollectOnAllDevices',
      }),
    ];
    expect(told(await none.locate())).toEqual([422, 'BadBioSessionOperation']);
    expect(told(await here.locate('Origin'))).toEqual([422, 'BadBioSessionOperation']);
    expect((await all.locate('Origin')).status).toBe(204);
    expect((await all.locate()).status).toBe(204);
    expect((await all.locate()).status).toBe(204);
    const { geolocations } = (await statusOf('liveness', all.sessionId)) as { geolocations: unknown[] };
    expect(geolocations).toHaveLength(2);
  });
});

test('the address of a session does nothing without its secret, and does not tell whether there is such a session', async () => {
  const started = await app.start('liveness');
  const stranger = visitor(started, { token: 'A'.repeat(43) });
  const calls = [stranger.begin, stranger.submit, stranger.abort, stranger.locate, stranger.goOn];
  for (const act of calls) expect(told(await act())).toEqual([422, 'BadBioSessionToken']);
  expect((await stranger.page()).status).toBe(404);
  expect((await visitor(started).page()).status).toBe(200);
});
