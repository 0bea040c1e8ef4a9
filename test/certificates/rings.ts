/** A ring of the keys with these numbers, newest first. @example vi.stubEnv('Sealing__Keys', ring(9)) */
export const ring = (...numbers: readonly number[]): string =>
  numbers.map((n) => `key-${n}:${Buffer.alloc(32, n).toString('base64')}`).join('\n');
