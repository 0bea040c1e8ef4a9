import { type Deadline, leftMs } from '../../../../shared/async/deadline.ts';
import { allErrors } from '../../../../shared/pki/findings/validation-results.ts';
import { TrustAnchorsUnusable, trustAnchors } from '../../../../shared/pki/trust-anchors.ts';
import { createSignerJudge } from '../../../../shared/pki/verdict/certificate-judge.ts';
import type { Judge } from '../../../../shared/signing/cms/judge.ts';
import { requestTimestamp, TimestampFailed } from '../../../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../../../shared/signing/timestamp/post.ts';
import { verifyTimestamp } from '../../../../shared/signing/timestamp/verify.ts';
import { settings } from '../../settings.ts';

/** A token that was verified: the time that it tells, and when the certificate of its authority expires. */
export type VerifiedToken = {
  readonly token: Buffer;
  readonly timeMs: number;
  readonly endsAtMs: number;
};

/** No authority gave a token that verifies. The message says what each answered. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

const DIGEST = 'sha256';

// The next authority, or the next attempt of the restamp, is better than a second question right away.
const ATTEMPTS_EACH = 1;

/** The configured authorities, in the order in which they are asked. */
export const timestampAuthorities = (): readonly string[] => settings['Restamps:TimestampAuthorities'] ?? [];

/**
 * Asks the configured authorities for a token over a SHA-256 hash, in their order, until one gives a token that verifies:
 * over this hash, with the nonce of the request, of a trusted authority. Throws TokenRefused.
 */
export async function requestToken(imprint: Buffer, deadline: Deadline): Promise<VerifiedToken> {
  // Without roots no token can be trusted, and none is paid for.
  requireAnchors();
  const failures: string[] = [];
  for (const url of timestampAuthorities()) {
    const { host } = new URL(url);
    if (leftMs(deadline) === 0) failures.push(`${host}: It was not asked, there was no time left.`);
    else {
      const outcome = await requestFrom(url, imprint, deadline.now);
      if (!(outcome instanceof TokenRefused)) return outcome;
      failures.push(`${host}: ${outcome.message}`);
    }
  }
  const reasons = failures.length > 0 ? failures.join(' ') : 'None is configured.';
  throw new TokenRefused(`No timestamp authority gave a timestamp. ${reasons}`);
}

async function requestFrom(
  url: string,
  imprint: Buffer,
  now: () => number,
): Promise<VerifiedToken | TokenRefused> {
  try {
    const { token } = await requestTimestamp(DIGEST, imprint, {
      ...{ authorities: [{ url }], post: timestampPost(), attemptsEach: ATTEMPTS_EACH, now },
    });
    return await verifyToken(token, imprint, now());
  } catch (error) {
    if (error instanceof TokenRefused) return error;
    if (!(error instanceof TimestampFailed)) throw error;
    return new TokenRefused(error.failures.map(({ message }) => message).join(' '));
  }
}

/** A token over this hash whose signature and authority are judged now. Throws TokenRefused. */
export async function verifyToken(token: Buffer, imprint: Buffer, nowMs: number): Promise<VerifiedToken> {
  requireAnchors();
  const imprintIn = (digest: string) => (digest === DIGEST ? imprint : undefined);
  const { valid, info, authority, results } = await verifyTimestamp(token, imprintIn, {
    judge: judgeAuthority,
    atMs: nowMs,
  });
  if (valid && info && authority) return { token, timeMs: info.timeMs, endsAtMs: authority.notAfterMs };
  const reasons = allErrors(results).map(({ message }) => message);
  throw new TokenRefused(`Its token does not verify. ${reasons.join(' ')}`);
}

function requireAnchors(): void {
  try {
    trustAnchors(settings['Certificates:TrustAnchors'] ?? '');
  } catch (error) {
    if (!(error instanceof TrustAnchorsUnusable)) throw error;
    throw new TokenRefused(error.message, { cause: error });
  }
}

const judge = createSignerJudge('credentials', settings);

// A revoked authority is refused. A revocation list that is out of reach is not worth a token: it is paid for, it is
// needed before a certain day, and whoever verifies it looks at the lists again.
const judgeAuthority: Judge = (certificate, intermediates, atMs) =>
  judge(certificate, atMs, { intermediates, ignoreRevocationStatusUnknown: true });
