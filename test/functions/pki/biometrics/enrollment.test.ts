import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { forgetFace, listFaces } from '../../../../functions/pki/biometrics/domain/forget-subject.ts';
import { biometricProvider } from '../../../../functions/pki/biometrics/domain/providers/choose-provider.ts';
import { forFile } from '../../../runner/for-file.ts';
import { wholeTable } from '../../../stores/whole-table.ts';
import { captureLog } from '../../session/captured-log.ts';
import { application, aSubject, frames, told, visitor } from './calls.ts';
import { anApplication, bioStage } from './stage.ts';

const stage = await forFile(bioStage());
const app = application(stage.key);
const name = stage.key.split('|')[0] ?? '';

const session = async (subjectIdentifier: string, body: object = {}) =>
  visitor(await app.start('enrollment', { subjectIdentifier, ...body }));
const statusOf = async (sessionId: string) =>
  (await app.read('enrollment', sessionId)).json() as { subjectId: string; failure: string | null };
const facesOf = async (application: string) => listFaces(await biometricProvider(), application);
const enrolled = async (subject: string, body: object = {}) => {
  const person = await session(subject, body);
  await person.attempt();
  return statusOf(person.sessionId);
};

describe('a face', () => {
  test('is enrolled for a subject, whose id the status tells', async () => {
    const subject = aSubject();
    const person = await session(subject);
    expect(await person.attempt()).toMatchObject({ outcome: 'passed' });
    const status = (await app.complete('enrollment', await person.ticket())).json();
    expect(status).toEqual({
      sessionId: person.sessionId,
      success: true,
      resultDataAvailable: false,
      subjectIdentifier: subject,
      subjectId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      livenessStatus: { success: true, attemptCount: 1 },
      idCaptureStatus: null,
      failure: null,
      geolocations: [],
    });
  });

  test('that another subject has is DuplicatesFound, and nothing of it is kept', async () => {
    const face = `face-${randomUUID()}`;
    await enrolled(aSubject(face));
    const before = (await facesOf(name)).faces.length;
    expect(await enrolled(aSubject(face))).toMatchObject({
      success: false,
      failure: 'DuplicatesFound',
      subjectId: null,
    });
    expect((await facesOf(name)).faces).toHaveLength(before);
  });

  test('that somebody of another application has is no duplicate', async () => {
    const face = `face-${randomUUID()}`;
    await enrolled(aSubject(face));
    const other = application(await anApplication());
    const person = visitor(await other.start('enrollment', { subjectIdentifier: aSubject(face) }));
    expect(await person.attempt()).toMatchObject({ outcome: 'passed' });
  });

  test('of a subject who is enrolled takes the place of the first only where the caller says so', async () => {
    const subject = aSubject();
    const first = await enrolled(subject);
    const [before] = (await facesOf(name)).faces.filter(({ subjectId }) => subjectId === first.subjectId);
    expect(told(await app.start('enrollment', { subjectIdentifier: subject }))).toEqual([
      422,
      'SubjectAlreadyEnrolled',
    ]);
    const second = await enrolled(subject, { dangerousOverrideIfAlreadyEnrolled: true });
    expect(second).toMatchObject({ success: true, subjectId: first.subjectId });
    const after = (await facesOf(name)).faces.filter(({ subjectId }) => subjectId === first.subjectId);
    expect(after).toHaveLength(1);
    expect(after[0]?.face).not.toBe(before?.face);
  });

  // session 1  |--searches----|--enrols--|--subject created, ended
  // session 2    |--searches----|--enrols--|--refused: its face is forgotten
  test('is enrolled once for a subject who has two sessions at one moment', async () => {
    const subject = aSubject();
    const both = [await session(subject), await session(subject)];
    // Both have searched before either enrols.
    let searched = 0;
    let go = (): void => undefined;
    const gate = new Promise<void>((open) => {
      go = open;
    });
    stage.before = async (operation) => {
      if (operation === 'search' && ++searched === 2) go();
      if (operation === 'enrol') await gate;
    };
    const outcomes = await Promise.all(both.map((person) => person.attempt()));
    stage.before = async () => undefined;
    const passed = outcomes.filter((each) => (each as { outcome: string }).outcome === 'passed');
    expect(passed).toHaveLength(1);
    const { faces } = await facesOf(name);
    expect(faces.filter((face) => face.subject?.identifier === subject)).toHaveLength(1);
    expect(faces.filter((face) => face.subject === undefined)).toEqual([]);
  });

  test('can be deleted, and is enrolled anew after that', async () => {
    const subject = aSubject(`face-${randomUUID()}`);
    const { subjectId } = await enrolled(subject);
    const provider = await biometricProvider();
    const kept = (await facesOf(name)).faces.find((each) => each.subjectId === subjectId);
    if (!kept) throw new Error('There is no face.');
    expect(await forgetFace(provider, name, kept)).toMatchObject({ identifier: subject });
    expect((await facesOf(name)).faces.some((each) => each.subjectId === subjectId)).toBe(false);
    const again = await enrolled(subject);
    expect(again).toMatchObject({ success: true });
    expect(again.subjectId).not.toBe(subjectId);
  });

  test('that a try left at the provider is listed as nobody’s, stands in no one’s way, and can be deleted', async () => {
    const own = await anApplication();
    const gallery = own.split('|')[0] ?? '';
    const face = `face-${randomUUID()}`;
    const provider = await biometricProvider();
    const { capture } = await provider.begin({ subject: aSubject(face) });
    await provider.enrol(capture, gallery, randomUUID());
    const [left] = (await facesOf(gallery)).faces;
    expect(left).toMatchObject({ subject: undefined });
    const person = visitor(await application(own).start('enrollment', { subjectIdentifier: aSubject(face) }));
    expect(await person.attempt()).toMatchObject({ outcome: 'passed' });
    if (left) expect(await forgetFace(provider, gallery, left)).toBeUndefined();
    expect((await facesOf(gallery)).faces).toHaveLength(1);
  });
});

test('no picture, token or ticket is in the table or in the log, whatever happens', async () => {
  vi.stubEnv('Log__Level', 'DEBUG');
  const log = captureLog();
  const pictures = { frames: frames(), document: frames()[0] };
  const person = await session(aSubject(), { captureIdentificationDocument: true });
  let ticket: string;
  try {
    stage.otherwise = (operation) =>
      operation === 'judge' ? { status: 500, body: `no: ${pictures.frames[0]}` } : undefined;
    await person.attempt(pictures);
    stage.otherwise = () => undefined;
    await person.attempt(pictures);
    await person.page();
    ticket = await person.ticket();
    await app.complete('enrollment', ticket);
  } finally {
    log.restore();
    vi.stubEnv('Log__Level', 'ERROR');
  }
  const kept = `${await wholeTable('pki')}\n${log.text()}`;
  expect(kept).toContain(person.sessionId);
  expect(log.text()).toContain('The biometric provider answered 500');
  for (const picture of [...pictures.frames, pictures.document ?? 'none'])
    expect(kept).not.toContain(picture.slice(0, 40));
  expect(kept).not.toContain(person.token);
  expect(kept).not.toContain(ticket.split('.')[1]);
});
