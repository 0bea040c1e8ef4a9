const CODE_BYTES = 4;

/** The first bytes of a hash, for people to compare. @example codeOf(hash) // '4F2A 91C0' */
export const codeOf = (hash: Uint8Array): string =>
  Buffer.from(hash.subarray(0, CODE_BYTES))
    .toString('hex')
    .toUpperCase()
    .replace(/(.{4})(?=.)/g, '$1 ');
