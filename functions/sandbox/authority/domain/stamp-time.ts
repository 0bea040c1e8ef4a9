import { randomBytes } from 'node:crypto';
import { localKey } from '../../../../shared/signing/key.ts';
import { type SandboxAuthority, signerOf } from './authority.ts';
import { answerTimestamp } from './issuing/timestamp.ts';

/** Under a number that ICP-Brasil has given to no authority. */
const POLICY = '2.16.76.1.6.999';

/**
 * Answers a timestamp request (RFC 3161) as the sandbox's timestamp authority.
 * @example const reply = await stampTime(await findAuthority(), query, Date.now());
 */
export function stampTime(authority: SandboxAuthority, request: Buffer, nowMs: number): Promise<Buffer> {
  const { privateKey, certificate } = signerOf(authority, 'tsa');
  const issuer = signerOf(authority, 'intermediate').certificate;
  return answerTimestamp(request, {
    key: localKey(privateKey, certificate, [issuer]),
    policy: POLICY,
    now: () => nowMs,
    // Random: instances of the function share no counter.
    nextSerialNumber: () => BigInt(`0x${randomBytes(16).toString('hex')}`),
  });
}
