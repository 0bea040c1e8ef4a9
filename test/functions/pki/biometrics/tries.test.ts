import { beforeEach, describe, expect, test } from 'vitest';
import { beginCapture } from '../../../../functions/pki/biometrics/domain/begin-capture.ts';
import { bioSessions } from '../../../../functions/pki/biometrics/domain/session.ts';
import { forFile } from '../../../runner/for-file.ts';
import { application, aSubject, frames, type Kind, told, visitor } from './calls.ts';
import { bioStage } from './stage.ts';

const stage = await forFile(bioStage());
const app = application(stage.key);
beforeEach(() => {
  stage.otherwise = () => undefined;
  stage.before = async () => undefined;
});

const begun = async (kind: Kind, body: object = {}) => visitor(await app.start(kind, body));
const statusOf = async (kind: Kind, sessionId: string) => (await app.read(kind, sessionId)).json();

describe('a try', () => {
  test('may be made again until none is left', async () => {
    const person = await begun('liveness', { subjectIdentifier: aSubject('not-live') });
    expect(await person.attempt()).toMatchObject({ outcome: 'again', verdict: 'notLive', attemptsLeft: 2 });
    expect(await person.attempt()).toMatchObject({ outcome: 'again', attemptsLeft: 1 });
    expect(await person.attempt()).toMatchObject({ outcome: 'failed', failure: 'AttemptsLimitReached' });
    expect(told(await person.begin())).toEqual([422, 'BadBioSessionOperation']);
    expect(await statusOf('liveness', person.sessionId)).toMatchObject({
      success: false,
      failure: 'AttemptsLimitReached',
      faceLivenessStatus: { success: false, attemptCount: 3 },
    });
  });

  test('that is begun and left counts, and the last one ends the session', async () => {
    const person = await begun('liveness');
    for (let n = 0; n < 3; n++) expect((await person.begin()).status).toBe(200);
    expect(told(await person.begin())).toEqual([422, 'BadBioSessionOperation']);
    expect(await statusOf('liveness', person.sessionId)).toMatchObject({ failure: 'AttemptsLimitReached' });
  });

  test('of which the provider cannot say anything is not counted', async () => {
    const person = await begun('liveness');
    for (const operation of ['begin', 'judge']) {
      stage.otherwise = (each) => (each === operation ? { status: 500, body: 'frame /9j/4AAQ' } : undefined);
      for (let n = 0; n < 4; n++)
        expect(await person.attempt()).toMatchObject({ code: 'BiometricProviderUnavailable' });
    }
    stage.otherwise = () => ({ status: 200, body: '{"verdict":"certainly"}' });
    expect(await person.attempt()).toMatchObject({ code: 'BiometricProviderUnavailable' });
    stage.otherwise = () => undefined;
    expect(await person.attempt()).toMatchObject({ outcome: 'passed', attemptsLeft: 2 });
  });

  // page 1  |--reads Open--- begun --|--asks the provider------------|
  // page 2    |--reads Open---- refused --|
  // page 3           |--reads that one is being begun: refused --|
  test('is begun once for however many pages begin at the same moment, also where it is the last', async () => {
    const person = await begun('liveness');
    for (let n = 0; n < 2; n++) await person.begin();
    stage.asked.length = 0;
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    stage.before = async () => {
      arrive();
      await released;
    };
    const early = Array.from({ length: 6 }, person.begin);
    await arrived;
    const late = await Promise.all(Array.from({ length: 6 }, person.begin));
    release();
    const all = [...(await Promise.all(early)), ...late];
    expect(stage.asked.filter((each) => each.includes('"begin"'))).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter((each) => told(each)[1] === 'BadBioSessionOperation')).toHaveLength(11);
    expect((await person.submit()).json()).toMatchObject({ outcome: 'passed', attemptsLeft: 0 });
  });

  // page 1  |--begun--asks--|--told--|
  // page 2    |--asked (waits its turn) ------- reads the session: refused --|
  test('is not begun anew by a page that asked before the first was told', async () => {
    const person = await begun('liveness');
    const asked = Date.now() - 1;
    await person.begin();

    const late = beginCapture({ sessionId: person.sessionId, token: person.token }, asked, Date.now);
    await expect(late).rejects.toMatchObject({ code: 'BadBioSessionOperation' });
    expect((await bioSessions.get(person.sessionId))?.attempts).toBe(1);
  });

  test('is judged once, however often it is sent', async () => {
    const person = await begun('liveness');
    await person.begin();
    const all = await Promise.all(Array.from({ length: 8 }, () => person.submit()));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(told(await person.submit())).toEqual([422, 'BadBioSessionOperation']);
  });

  // judge 1  |--Judging (until 60 s)---------- stalls ----------------- comes back: refused
  // judge 2                    at 61 s  |--begun--|--judged: passed--|
  test('whose judge does not come back can be made again, and the late judge changes nothing', async () => {
    const person = await begun('liveness', { subjectIdentifier: aSubject('flat-once') });
    await person.begin();
    let release = (): void => undefined;
    const stalled = new Promise<void>((go) => {
      release = go;
    });
    let arrived = (): void => undefined;
    const atProvider = new Promise<void>((go) => {
      arrived = go;
    });
    stage.before = async (operation) => {
      if (operation !== 'judge') return;
      arrived();
      await stalled;
    };
    const late = person.submit();
    await atProvider;
    stage.before = async () => undefined;
    expect(told(await person.begin())).toEqual([422, 'BadBioSessionOperation']);
    const judging = await bioSessions.get(person.sessionId);
    if (judging) await bioSessions.change(judging, { judgedByMs: Date.now() });
    expect(await person.attempt()).toMatchObject({ outcome: 'passed' });
    release();
    expect(told(await late)).toEqual([422, 'BadBioSessionOperation']);
    expect(await statusOf('liveness', person.sessionId)).toMatchObject({ success: true, failure: null });
  });

  test('cannot be sent before it is begun', async () => {
    const person = await begun('liveness');
    expect(told(await person.submit())).toEqual([422, 'BadBioSessionOperation']);
  });

  test('whose frames are all the same is not alive', async () => {
    const person = await begun('liveness');
    const [frame] = frames();
    expect(await person.attempt({ frames: Array.from({ length: 5 }, () => frame) })).toMatchObject({
      verdict: 'notLive',
    });
  });
});
