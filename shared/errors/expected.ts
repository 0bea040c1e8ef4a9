type Kind = abstract new (...args: never[]) => Error;
type Kinds = Kind | readonly Kind[];

const isOf = (kinds: Kinds, error: unknown): boolean => [kinds].flat().some((kind) => error instanceof kind);

/**
 * For `catch`: errors of these kinds are answered with the value. Others are thrown.
 * @example const moved = await move(job).then(() => true, ifThrown(RaceLost, false));
 */
export function ifThrown(kinds: Kinds): (error: unknown) => undefined;
export function ifThrown<const T>(kinds: Kinds, value: T): (error: unknown) => T;
export function ifThrown<T>(kinds: Kinds, value?: T) {
  return (error: unknown): T | undefined => {
    if (isOf(kinds, error)) return value;
    throw error;
  };
}

/**
 * Undefined where the work throws an error of these kinds. Others are thrown.
 * @example const certificate = unlessThrown(CertificateMalformed, () => parseCertificate(der));
 */
export function unlessThrown<T>(kinds: Kinds, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    return ifThrown(kinds)(error);
  }
}
