/**
 * The wait that a Retry-After header asks for (RFC 9110 10.2.3): '120', or 'Fri, 31 Dec 2027 23:59:59 GMT'. Undefined
 * without a header and for any other value.
 * @example retryAfterMs(headers['retry-after'], Date.now())
 */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const value = [header].flat()[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const atMs = /GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
