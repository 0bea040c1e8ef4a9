import { childrenOf, DerError, type Element, readCount } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { type Extended, readExtension } from './extensions.ts';
import { type GeneralName, readGeneralName } from './general-names.ts';

/** The permitted and excluded subtrees of an authority (RFC 5280, 4.2.1.10). An ipAddress contains address and mask. */
export type NameConstraints = {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
};

/** @example nameConstraints(authority)?.permitted */
export const nameConstraints = (of: Extended): NameConstraints | undefined =>
  readExtension(of, 'nameConstraints', (value) => {
    const parts = childrenOf(value, TAG.SEQUENCE);
    return { permitted: readSubtrees(parts, 0), excluded: readSubtrees(parts, 1) };
  });

function readSubtrees(parts: readonly Element[], n: number): GeneralName[] {
  const list = parts.find(({ tag }) => tag === context(n));
  return (list ? childrenOf(list, context(n)) : []).map((subtree) => {
    const [base, ...limits] = childrenOf(subtree, TAG.SEQUENCE);
    if (!base) throw new DerError('A name constraint has no name.');
    // RFC 5280, 4.2.1.10: minimum is zero and maximum absent. Other values are refused and not ignored.
    for (const limit of limits)
      if (limit.tag !== context(0, 'primitive') || readCount({ ...limit, tag: TAG.INTEGER }) !== 0)
        throw new DerError('A name constraint has a minimum or maximum, which X.509 does not use.');
    return readGeneralName(base);
  });
}
