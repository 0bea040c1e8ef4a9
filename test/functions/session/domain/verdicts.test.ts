import { beforeEach, describe, expect, test } from 'vitest';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { renewDueVerdict, sendDueVerdicts } from '../../../../functions/session/domain/renew-verdicts.ts';
import {
  currentVerdict,
  renewVerdict,
  type Verdict,
  verdicts,
} from '../../../../functions/session/domain/verdicts.ts';
import { countedSeries, takeCounted } from '../../../../shared/metrics/count.ts';
import { shards } from '../../../../shared/store/shards.ts';
import { anyPerson } from '../../../agent/holders.ts';
import { forFile } from '../../../runner/for-file.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { aSession, createSession } from '../a-session.ts';
import { batchOf, infoOf, refusal, signPdf } from '../calls.ts';
import { captureLog } from '../captured-log.ts';
import { restoreSettings, setting } from '../own-settings.ts';
import { aPdf } from '../pdfs.ts';
import { sessionStage } from '../stage.ts';
import { deliverRenewals, runRenewals } from './run-renewals.ts';

const HOUR_MS = 3_600_000;
const REVOKED = '56072386105';
const UNREACHABLE = '15350946056';

const stage = await forFile(sessionStage());
restoreSettings();

const certificateOf = (name: string) => signerOf(stage.sandbox.authority, name).certificate;

const heldOf = (name: string) => ({ certificate: certificateOf(name) });

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
  return currentVerdict(await verdicts.get(certificate.sha256), { certificate }, Date.now());
};

const anyVerdict = (name: string): Verdict => {
  const { sha256, der } = certificateOf(name);
  return { sha256, der, status: 'ACTIVE', judgedAtMs: 0, activeAtMs: null };
};

const known = async (name: string) => (await verdicts.get(certificateOf(name).sha256))?.status;

describe('the verdict on a held certificate', () => {
  test('is renewed by the scheduled worker once its interval is over, and changes what live sessions may do', async () => {
    await found(REVOKED, 0.5);
    const { sessionId } = await aSession(REVOKED);
    await runRenewals();
    expect((await infoOf(sessionId)).json()).toMatchObject({ status: 'ACTIVE' });
    await found(REVOKED, 1.1);
    await runRenewals();
    expect((await infoOf(sessionId)).json()).toMatchObject({ status: 'REVOKED' });
    const pdf = await aPdf();
    const refused = [422, 'CERT_NOT_ACTIVE', 'status: REVOKED'];
    expect(refusal(await signPdf(sessionId, pdf))).toEqual(refused);
    // A batch is refused as a whole.
    expect(refusal(await batchOf(sessionId, [{ name: 'a.pdf', bytes: pdf }]))).toEqual(refused);
    const { result, lines } = await logOf(() => createSession({ cpf: REVOKED, pin: '1234' }));
    expect(refusal(result)[1]).toBe('CERT_NOT_ACTIVE');
    const told = { operation: 'session.create', code: 'CERT_NOT_ACTIVE', details: { status: 'REVOKED' } };
    expect(lines.find(({ operation }) => operation !== undefined)).toMatchObject({ level: 'WARN', ...told });
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

  test('of a clock that was ahead is none, whatever it says', async () => {
    await found(REVOKED, -48);
    expect((await verdictOf(REVOKED)).status).toBe('REVOKED');
    expect(await known(REVOKED)).toBe('REVOKED');
    await found('47363361886', -48, 'STALE');
    expect((await verdictOf('47363361886')).status).toBe('ACTIVE');
  });

  test('is not undone by one that was begun before it and took longer', async () => {
    const certificate = certificateOf(REVOKED);
    const now = Date.now();
    await renewVerdict({ certificate }, now + 1_000);
    expect((await renewVerdict({ certificate }, now - 1_000)).judgedAtMs).toBe(now + 1_000);
    await Promise.all([now + 3_000, now + 2_000].map((at) => renewVerdict({ certificate }, at)));
    expect((await verdicts.get(certificate.sha256))?.judgedAtMs).toBe(now + 3_000);
  });
});

test('a deployment that names no root to trust finds every certificate UNTRUSTED, tells its operator, and keeps none of it', async () => {
  const log = captureLog();
  await found('47363361886', 4);
  setting('Certificates:TrustAnchors', '');
  const answer = await createSession({ cpf: '47363361886', pin: '1234' });
  log.restore();
  expect(refusal(answer)).toEqual([422, 'CERT_NOT_ACTIVE', 'status: UNTRUSTED']);
  expect(log.text()).toContain('set Certificates:TrustAnchors');
  expect(await known('47363361886')).toBe('ACTIVE');
});

describe('STALE', () => {
  beforeEach(() => setting('Certificates:Validation:RevocationTimeout', '1'));

  test('is found only after the grace, where revocation data is out of reach', async () => {
    await found(UNREACHABLE, 23.9);
    expect((await renewVerdict(heldOf(UNREACHABLE), Date.now())).status).toBe('ACTIVE');
    await found(UNREACHABLE, 24.1);
    expect((await renewVerdict(heldOf(UNREACHABLE), Date.now())).status).toBe('STALE');
  });

  test('is found at once where a clock that was ahead found the certificate ACTIVE', async () => {
    await found(UNREACHABLE, -48);
    expect((await verdictOf(UNREACHABLE)).status).toBe('STALE');
  });

  test('is found at once where nothing was ever known', async () => {
    await found(UNREACHABLE, 1, 'STALE');
    expect((await renewVerdict(heldOf(UNREACHABLE), Date.now())).status).toBe('STALE');
  });

  test('has one grace and not two: data that is late begins none of its own', async () => {
    const good = certificateOf('52998224725');
    const now = Date.now();
    await renewVerdict({ certificate: good }, now);
    setting('Network:AllowPrivateAddresses', 'false'); // nothing newer can be had
    const at = async (hours: number) =>
      (await renewVerdict({ certificate: good }, now + hours * HOUR_MS)).status;
    // The responder's word is good for an hour, and for a day more when it is late.
    expect([await at(0.5), await at(24), await at(26)]).toEqual(['ACTIVE', 'ACTIVE', 'STALE']);
  });
});

test.each(['UNTRUSTED', 'STALE'] as const)(
  '%s is judged again after a minute, as it changes with settings and networks',
  async (status) => {
    await found('47363361886', 0.1, status);
    expect((await verdictOf('47363361886')).status).toBe('ACTIVE');
  },
);

test('REVOKED ends the grace: revocation data that is out of reach afterwards makes nothing ACTIVE again', async () => {
  await found(REVOKED, 1);
  expect(await renewVerdict(heldOf(REVOKED), Date.now())).toMatchObject({
    status: 'REVOKED',
    activeAtMs: null,
  });
});

describe('the renewal', () => {
  const judgedAtMs = Date.now() - 2 * HOUR_MS;
  const putDue = (sha256: string, der: Uint8Array) =>
    verdicts.put({ sha256, der, status: 'ACTIVE', judgedAtMs, activeAtMs: null });
  const hasVerdict = async (sha256: string) => (await verdicts.get(sha256)) !== undefined;

  test('forgets the verdict on a certificate that nobody holds any more', async () => {
    const { sha256, der } = anyPerson().certificate;
    await putDue(sha256, der);
    expect(await runRenewals()).toContain(sha256);
    expect(await hasVerdict(sha256)).toBe(false);
  });

  test('is not held up by one that cannot be judged, which stays due', async () => {
    const log = captureLog();
    const broken = await putDue('0', Buffer.from('no certificate'));
    await found(REVOKED, 2);
    expect(await runRenewals()).toEqual(expect.arrayContaining(['0', certificateOf(REVOKED).sha256]));
    expect(await runRenewals()).toEqual(['0']);
    log.restore();
    expect(log.text()).toContain('A verdict was not renewed');
    expect(await known(REVOKED)).toBe('REVOKED');
    await verdicts.delete(broken);
  });

  test('sends every due verdict in one run, and each once, though a page of a partition holds 50', async () => {
    const { der } = anyPerson().certificate;
    const { of } = shards('VERDICTS', 8);
    const ids = Array.from({ length: 600 }, (_, n) => `held-${n}`).filter((id) => of(id) === 'VERDICTS#3');
    expect(ids.length).toBeGreaterThan(60);
    await Promise.all(ids.map((id) => putDue(id, der)));
    expect(await sendDueVerdicts(Date.now())).toBe(ids.length);
    const delivered = await deliverRenewals();
    expect(delivered.toSorted()).toEqual(ids.toSorted());
  });

  test('sends none when its time is over, and the next run sends them', async () => {
    const { der } = anyPerson().certificate;
    await Promise.all(['a', 'b', 'c'].map((id) => putDue(id, der)));
    expect(await sendDueVerdicts(Date.now(), () => false)).toBe(0);
    expect((await runRenewals()).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('tells the days that the first of the certificates of the vault has left, and nothing of one that has expired', async () => {
    const days = () => countedSeries().find(({ name }) => name === 'VaultCertificateDaysLeft')?.value;
    const { sha256, notAfterMs } = certificateOf(REVOKED);
    takeCounted();
    for (const daysBefore of [20, 9, 11]) {
      const nowMs = notAfterMs - daysBefore * 24 * HOUR_MS;
      await verdicts.put({ ...anyVerdict(REVOKED), judgedAtMs: nowMs - 2 * HOUR_MS });
      expect(await renewDueVerdict({ sha256, sentAtMs: nowMs }, nowMs)).toBe('renewed');
    }
    expect(days()).toBe(9);
    takeCounted();
    await verdicts.put({ ...anyVerdict(REVOKED), judgedAtMs: notAfterMs - 2 * HOUR_MS });
    expect(await renewDueVerdict({ sha256, sentAtMs: notAfterMs }, notAfterMs)).toBe('renewed');
    expect(days()).toBeUndefined();
    await found(REVOKED, 0);
  });

  test('leaves a fresh verdict alone, and a message that a younger one has followed', async () => {
    const { sha256 } = certificateOf(REVOKED);
    const nowMs = Date.now();
    await found(REVOKED, 0.5);
    expect(await renewDueVerdict({ sha256, sentAtMs: nowMs }, nowMs)).toBe('fresh');
    await found(REVOKED, 2);
    expect(await renewDueVerdict({ sha256, sentAtMs: nowMs - 300_001 }, nowMs)).toBe('late');
    expect(await known(REVOKED)).toBe('ACTIVE');
    expect(await renewDueVerdict({ sha256, sentAtMs: nowMs - 300_000 }, nowMs)).toBe('renewed');
    expect(await renewDueVerdict({ sha256, sentAtMs: nowMs }, nowMs)).toBe('fresh');
  });
});
