import type { Certificate } from '../../../../../shared/pki/certificate.ts';
import { icpBrasilIdentity } from '../../../../../shared/pki/icp-brasil.ts';
import { called } from '../../../../../shared/pki/verdict-words.ts';
import { completePades } from '../../../../../shared/signing/pades/complete.ts';
import { type PreparedPades, preparePades } from '../../../../../shared/signing/pades/prepare.ts';
import { momentInBrasilia } from '../../calendar.ts';
import { readNewest } from '../newest-file.ts';
import { type Format, PreparedOtherwise, type Subject } from './format.ts';

/**
 * PDF. What is appended is made again at the second step rather than kept: from the same bytes and wishes it comes
 * out the same, which the hash proves, and nothing is left behind by a signature that is never completed.
 */
export const pades: Format<null> = {
  async prepare(subject) {
    const { hash, toSign } = preparedFrom(await readNewest(subject.document), subject);
    return { hash, toSign, state: null };
  },
  async complete(subject, { hash, signature, stamp }) {
    const bytes = await readNewest(subject.document);
    const prepared = preparedFrom(bytes, subject);
    if (!prepared.hash.equals(hash))
      throw new PreparedOtherwise('The PDF is prepared otherwise than when it was started.');
    const appended = await completePades(prepared.state, signature, {
      increment: prepared.increment,
      stamp,
    });
    return inTurn(bytes, appended);
  },
};

function preparedFrom(bytes: Buffer, subject: Subject): PreparedPades {
  const { certificate, chain, signingTimeMs, mark, isTimestamped } = subject;
  const name = nameOf(certificate);
  return preparePades(bytes, {
    certificate,
    chain,
    signingTimeMs,
    name,
    timestamped: isTimestamped,
    ...(mark && { visible: { lines: [name, momentInBrasilia(signingTimeMs)], place: mark, border: true } }),
  });
}

/** What people call the holder: without the number that ICP-Brasil puts behind the name. */
function nameOf(certificate: Certificate): string {
  const { holder, companyName, personName } = icpBrasilIdentity(certificate);
  return (holder === 'company' ? companyName : personName) ?? called(certificate);
}

async function* inTurn(...pieces: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
