import { completePades } from '../pades/complete.ts';
import { type PreparedPades, preparePades } from '../pades/prepare.ts';
import { type Format, PreparationMismatch, type SignatureInput } from './format.ts';
import { holderName } from './holder-name.ts';

/**
 * PDF. What is appended is made again at the second step rather than kept: from the same bytes and wishes it comes
 * out the same, which the hash proves, and nothing is left behind by a signature that is never completed.
 */
export const pades: Format<null> = {
  async prepare(subject) {
    const { hash, toSign } = preparedFrom(await subject.file.read(), subject);
    return { hash, toSign, state: null };
  },
  async complete(subject, { hash, signature, stamp }) {
    const bytes = await subject.file.read();
    const prepared = preparedFrom(bytes, subject);
    if (!prepared.hash.equals(hash))
      throw new PreparationMismatch('The PDF is prepared otherwise than when it was started.');
    const appended = await completePades(prepared.state, signature, {
      increment: prepared.increment,
      stamp,
    });
    return inTurn(bytes, appended);
  },
};

function preparedFrom(bytes: Buffer, subject: SignatureInput): PreparedPades {
  const { certificate, chain, signingTimeMs, visible, isTimestamped } = subject;
  return preparePades(bytes, {
    certificate,
    chain,
    signingTimeMs,
    name: holderName(certificate),
    timestamped: isTimestamped,
    visible,
  });
}

async function* inTurn(...pieces: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
