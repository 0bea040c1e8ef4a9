import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** An answer of an engine that is not as AWS documents it, where the embedded stores are. */
export type Difference<Call, Answer> = {
  readonly engines: readonly string[];
  /** The call, what AWS answers, and what the engine does: a row of docs/localstack.md. */
  readonly call: string;
  readonly aws: string;
  readonly engine: string;
  readonly is: (call: Call, ours: Answer, theirs: Answer) => boolean;
};

/**
 * Compares the answers of the embedded stores with those of an engine, but for differences that are known.
 * @example if (!judge.agree(call, ours, theirs)) return; // from here on both have other contents
 */
export function newJudge<Call, Answer>(engine: string, all: readonly Difference<Call, Answer>[]) {
  const differences = all.filter(({ engines }) => engines.includes(engine));
  const met = new Map<string, number>();
  let compared = 0;
  return {
    /** Whether both answered the same. Throws where they did not, and nobody knows why. */
    agree(call: Call, ours: Answer, theirs: Answer): boolean {
      compared += 1;
      if (isDeepStrictEqual(ours, theirs)) return true;
      const known = differences.find(({ is }) => is(call, ours, theirs));
      if (!known)
        expect({ call, answer: theirs }, `${engine} answers otherwise`).toEqual({ call, answer: ours });
      if (known) met.set(known.call, (met.get(known.call) ?? 0) + 1);
      return false;
    },
    /** Says what was compared, and which known differences were not met: the engine may have mended them. */
    report(): void {
      console.log(`${compared} answers of ${engine} compared.`);
      for (const { call } of differences) console.log(`  ${met.get(call) ?? 0} times: ${call}`);
    },
  };
}
