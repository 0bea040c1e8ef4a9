import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signerOf } from '../../../functions/sandbox/authority/domain/authority.ts';
import { renewDueVerdicts } from '../../../functions/session/domain/renew-verdicts.ts';
import {
  currentVerdict,
  renewVerdict,
  type Verdict,
  verdicts,
} from '../../../functions/session/domain/verdicts.ts';
import { handler as worker } from '../../../functions/session/workers/renew-verdicts.ts';
import { anyPerson } from '../../agent/holders.ts';
import { aSession, createSession } from './a-session.ts';
import { batchOf, infoOf, refusal, signPdf } from './calls.ts';
import { captureLog } from './captured-log.ts';
import { restoreSettings, setting } from './own-settings.ts';
import { aPdf } from './pdfs.ts';
import { type Stage, sessionStage } from './stage.ts';

const HOUR_MS = 3_600_000;
const REVOKED = '56072386105';
const UNREACHABLE = '15350946056';

let stage: Stage;
beforeAll(async () => {
  stage = await sessionStage();
});
afterAll(() => stage.stop());
restoreSettings();

const certificateOf = (name: string) => signerOf(stage.sandbox.authority, name).certificate;

/** What was found of a certificate some time ago. */
async function found(name: string, hoursAgo: number, status: Verdict['status'] = 'ACTIVE'): Promise<void> {
  const { sha256, der } = certificateOf(name);
  const judgedAtMs = Date.now() - hoursAgo * HOUR_MS;
  await verdicts.put({
    sha256,
    der,
    status,
    judgedAtMs,
    activeAtMs: status === 'ACTIVE' ? judgedAtMs : null,
  });
}

/** The verdict that a signature would rest on. */
const verdictOf = async (name: string) => {
  const certificate = certificateOf(name);
  return currentVerdict(await verdicts.get(certificate.sha256), certificate, Date.now());
};

const known = async (name: string) => (await verdicts.get(certificateOf(name).sha256))?.status;

describe('the verdict on a held certificate', () => {
  test('is renewed by the scheduled worker once its interval is over, and changes what live sessions may do', async () => {
    await found(REVOKED, 0.5);
    const { sessionId } = await aSession(REVOKED);
    await worker();
    expect((await infoOf(sessionId)).json()).toMatchObject({ status: 'ACTIVE' });
    await found(REVOKED, 1.1);
    await worker();
    expect((await infoOf(sessionId)).json()).toMatchObject({ status: 'REVOKED' });
    const pdf = await aPdf();
    const refused = [422, 'CERT_NOT_ACTIVE', 'status: REVOKED'];
    expect(refusal(await signPdf(sessionId, pdf))).toEqual(refused);
    // A batch is refused as a whole.
    expect(refusal(await batchOf(sessionId, [{ name: 'a.pdf', bytes: pdf }]))).toEqual(refused);
    expect(refusal(await createSession({ cpf: REVOKED, pin: '1234' }))[1]).toBe('CERT_NOT_ACTIVE');
  });

  test('is judged at once where the worker has not renewed it for long', async () => {
    await found(REVOKED, 2.9);
    expect((await verdictOf(REVOKED)).status).toBe('ACTIVE');
    await found(REVOKED, 3.1);
    expect((await verdictOf(REVOKED)).status).toBe('REVOKED');
  });

  test('is judged at once where the certificate has expired since', async () => {
    await found('12345678909', 0.1);
    expect((await verdictOf('12345678909')).status).toBe('EXPIRED');
  });

  test('is not undone by one that was begun before it and took longer', async () => {
    const certificate = certificateOf(REVOKED);
    const now = Date.now();
    await renewVerdict(certificate, now + 1_000);
    expect((await renewVerdict(certificate, now - 1_000)).judgedAtMs).toBe(now + 1_000);
    await Promise.all([now + 3_000, now + 2_000].map((at) => renewVerdict(certificate, at)));
    expect((await verdicts.get(certificate.sha256))?.judgedAtMs).toBe(now + 3_000);
  });
});

describe('a deployment that names no root to trust', () => {
  test('finds every certificate UNTRUSTED, tells its operator, and keeps none of it', async () => {
    const log = captureLog();
    await found('47363361886', 4);
    setting('Certificates:TrustAnchors', '');
    const answer = await createSession({ cpf: '47363361886', pin: '1234' });
    log.restore();
    expect(refusal(answer)).toEqual([422, 'CERT_NOT_ACTIVE', 'status: UNTRUSTED']);
    expect(log.text()).toContain('set Certificates:TrustAnchors');
    expect(await known('47363361886')).toBe('ACTIVE');
  });
});

describe('STALE', () => {
  beforeEach(() => setting('Certificates:Validation:RevocationTimeout', '1'));

  test('is found only after the grace, where revocation data is out of reach', async () => {
    await found(UNREACHABLE, 23.9);
    expect((await renewVerdict(certificateOf(UNREACHABLE), Date.now())).status).toBe('ACTIVE');
    await found(UNREACHABLE, 24.1);
    expect((await renewVerdict(certificateOf(UNREACHABLE), Date.now())).status).toBe('STALE');
  });

  test('is found at once where nothing was ever known', async () => {
    await found(UNREACHABLE, 1, 'STALE');
    expect((await renewVerdict(certificateOf(UNREACHABLE), Date.now())).status).toBe('STALE');
  });

  test('has one grace and not two: data that is late begins none of its own', async () => {
    const good = certificateOf('52998224725');
    const now = Date.now();
    await renewVerdict(good, now);
    setting('Network:AllowPrivateAddresses', 'false'); // nothing newer can be had
    const at = async (hours: number) => (await renewVerdict(good, now + hours * HOUR_MS)).status;
    // The responder's word is good for an hour, and for a day more when it is late.
    expect([await at(0.5), await at(24), await at(26)]).toEqual(['ACTIVE', 'ACTIVE', 'STALE']);
  });
});

describe('the worker', () => {
  const judgedAtMs = Date.now() - 2 * HOUR_MS;

  test('forgets the verdict on a certificate that nobody holds any more', async () => {
    const { certificate } = anyPerson();
    const { sha256, der } = certificate;
    await verdicts.put({ sha256, der, status: 'ACTIVE', judgedAtMs, activeAtMs: null });
    expect((await renewDueVerdicts(Date.now())).forgotten).toBe(1);
    expect(await verdicts.get(sha256)).toBeUndefined();
  });

  test('is not held up by one that cannot be judged', async () => {
    const der = Buffer.from('no certificate');
    const broken = await verdicts.put({ sha256: '0', der, status: 'ACTIVE', judgedAtMs, activeAtMs: null });
    await found(REVOKED, 2);
    const { renewed, failed } = await renewDueVerdicts(Date.now());
    expect(failed).toHaveLength(1);
    expect(renewed).toBeGreaterThan(0);
    expect(await known(REVOKED)).toBe('REVOKED');
    await verdicts.delete(broken);
  });
});
