import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { getBoth } from '../../../../shared/store/collection.ts';
import type { FurtherCheck } from '../../operations/domain/readiness.ts';
import { type Sentence, say } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';
import { lastNotifications } from './notifications/notification-counts.ts';
import { type PassRecord, passRecords } from './pass.ts';

type Known = { readonly notifiedAtMs: number | undefined; readonly sweep: PassRecord | undefined };

// Anyone may ask for readiness: one request, once in Access:CacheSeconds.
const recent = cached<Known>({
  name: 'batch.signer-checks',
  read: readKnown,
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

async function readKnown(): Promise<Known> {
  const [last, sweep] = await getBoth([lastNotifications, 'last'], [passRecords, 'sweep']);
  return { notifiedAtMs: last?.atMs, sweep };
}

/** The checks of what the external service tells, and of what it is asked. Neither fails the response. */
export async function checkSigner(): Promise<readonly FurtherCheck[]> {
  const known = await recent.get('all');
  return [checkNotifications(known?.notifiedAtMs), checkSweep(known?.sweep)];
}

function checkNotifications(notifiedAtMs: number | undefined): FurtherCheck {
  const check = { name: 'signer-notifications', isCounted: false };
  if (settings['Signer:WebhookSecret'] === '') return { ...check, ok: false, detail: say('check.no-secret') };
  const detail =
    notifiedAtMs === undefined
      ? say('check.no-notification')
      : say('check.last-notification', { time: new Date(notifiedAtMs).toISOString() });
  return { ...check, ok: true, detail };
}

// One outage of the external service fails a pass or two, and is over.
const MAX_FAILED_PASSES = 2;

function checkSweep(sweep: PassRecord | undefined): FurtherCheck {
  const failures = sweep?.failures ?? 0;
  return {
    name: 'signer-folder-sweep',
    isCounted: false,
    ok: failures <= MAX_FAILED_PASSES,
    detail: sweep ? detailOf(sweep) : say('check.no-pass'),
  };
}

function detailOf({ failures, lastError }: PassRecord): Sentence {
  if (failures === 0) return say('check.pass-clean');
  const error = lastError ?? say('check.log-says');
  return failures === 1
    ? say('check.pass-failed', { error })
    : say('check.passes-failed', { count: failures, error });
}
