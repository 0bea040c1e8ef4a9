import { describe, expect, test } from 'vitest';
import {
  certificateNoticeOf,
  describeNotice,
} from '../../../../functions/batch/profiles/domain/certificate-notice.ts';
import { inEnglish } from '../../../../functions/batch/sentences/sentences.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-17T12:00:00Z');
const period = { notBeforeMs: NOW - 300 * DAY, notAfterMs: NOW + 65 * DAY };
const LOCAL = { method: 'Local' } as const;

const textAt = (nowMs: number): string | undefined => {
  const notice = certificateNoticeOf(LOCAL, period, nowMs);
  return notice && inEnglish(describeNotice(notice));
};

describe('the certificate of a profile', () => {
  test('is told of from thirty days before its end, after its end, and before its begin', () => {
    expect(textAt(NOW)).toBeUndefined();
    expect(textAt(period.notAfterMs - 30 * DAY)).toBeUndefined();
    expect(textAt(period.notAfterMs - 30 * DAY + 1)).toContain('expires on 2027-01-21, in 29 days.');
    expect(textAt(period.notAfterMs - DAY)).toContain('in 1 day.');
    // RFC 5280, 4.1.2.5: the last moment belongs to the period.
    expect(textAt(period.notAfterMs)).toContain('in 0 days.');
    expect(textAt(period.notAfterMs + 1)).toBe('Its certificate expired on 2027-01-21. Give it a new key.');
    expect(textAt(period.notBeforeMs)).toBeUndefined();
    expect(textAt(period.notBeforeMs - 1)).toContain('is not valid before 2026-01-21.');
  });

  test('is not told of where it signs nothing', () => {
    const late = period.notAfterMs + DAY;
    expect(certificateNoticeOf({ method: 'ExternalSigner' }, period, late)).toBeUndefined();
    expect(
      certificateNoticeOf({ ...LOCAL, approval: { signerSet: 'Approvers' } }, period, late),
    ).toBeUndefined();
    expect(certificateNoticeOf(LOCAL, undefined, late)).toBeUndefined();
    expect(certificateNoticeOf({ ...LOCAL, approval: null }, period, late)?.problem).toBe('expired');
  });
});
