/** The algorithms that a verdict accepts. */
export type AlgorithmPolicy = {
  /** Names of node:crypto. */
  readonly digests: readonly string[];
  readonly minRsaBits: number;
  readonly dsa: boolean;
};

/** Algorithms without a practical forgery today. */
export const STRONG_ALGORITHMS: AlgorithmPolicy = {
  digests: ['sha256', 'sha384', 'sha512', 'sha3-256', 'sha3-384', 'sha3-512'],
  minRsaBits: 2048,
  dsa: false,
};

/** Algorithms for signatures with a proven time in the past. MD5 stays out. */
export const PAST_ALGORITHMS: AlgorithmPolicy = {
  digests: ['sha1', 'sha224', ...STRONG_ALGORITHMS.digests],
  minRsaBits: 1024,
  dsa: true,
};
