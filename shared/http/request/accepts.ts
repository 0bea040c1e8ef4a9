/**
 * Whether an Accept or Accept-Encoding header names this value, and not to refuse it. Wildcards do not count.
 * @example accepts('br, gzip;q=0.5', 'gzip') // true
 */
export const accepts = (header: string | undefined, wanted: string): boolean =>
  (header ?? '').split(',').some((entry) => {
    const [name = '', ...parameters] = entry
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    return name === wanted && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
