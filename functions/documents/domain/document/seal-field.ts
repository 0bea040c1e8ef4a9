// The name of the field that holds the seal has the hash of the last evidence in it. It is a part of what is sealed, and
// every report of a verification gives it.
const PREFIX = 'Selo ';

/** @example sealFieldOf('9f86…') // 'Selo 9f86…' */
export const sealFieldOf = (evidenceSha256: string): string => `${PREFIX}${evidenceSha256}`;

const SHA256 = /^[0-9a-f]{64}$/;

/** The hash of the last evidence in the name of a field; undefined for another field. */
export const evidenceInField = (name: string | null): string | undefined => {
  const hash = name?.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  return SHA256.test(hash) ? hash : undefined;
};
