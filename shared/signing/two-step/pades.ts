import { completePades } from '../pades/complete.ts';
import { type PreparedPades, preparePades } from '../pades/prepare.ts';
import { type Format, PreparationMismatch, type SignatureInput } from './format.ts';
import { holderName } from './holder-name.ts';
import { policyIn } from './options.ts';

/**
 * PDF. The second step makes the increment again instead of storing it: the same bytes and options give the same
 * increment, which the hash proves, and an abandoned signature leaves nothing behind.
 */
export const pades: Format<null> = {
  async prepare(input) {
    const { hash, toSign } = prepareIncrement(await input.file.read(), input);
    return { hash, toSign, state: null };
  },
  async complete(input, { hash, signature, stamp }) {
    const bytes = await input.file.read();
    const prepared = prepareIncrement(bytes, input);
    if (!prepared.hash.equals(hash))
      throw new PreparationMismatch('The PDF differs from the one that the signature started with.');
    const appended = await completePades(prepared.state, signature, {
      increment: prepared.increment,
      stamp,
    });
    const isSmall = bytes.length + appended.length <= MAX_WHOLE_BYTES;
    return isSmall ? Buffer.concat([bytes, appended]) : concat(bytes, appended);
  },
};

// A store takes so much in one part, which it would copy too.
const MAX_WHOLE_BYTES = 5_242_880;

function prepareIncrement(bytes: Buffer, input: SignatureInput): PreparedPades {
  const { certificate, chain, signingTimeMs, visible, isTimestamped, options } = input;
  return preparePades(bytes, {
    ...options?.pades,
    policy: policyIn(options),
    certificate,
    chain,
    signingTimeMs,
    name: holderName(certificate),
    timestamped: isTimestamped,
    visible,
  });
}

async function* concat(...pieces: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
