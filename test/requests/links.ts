/**
 * What a link binds, by S3 or by the stores of this process: for how long it is valid, and which headers it takes.
 * @example termsOf(url) // { seconds: 3600, headers: ['content-length', 'content-type'] }
 */
export function termsOf(url: string): { readonly seconds: number; readonly headers: readonly string[] } {
  const { searchParams } = new URL(url);
  const signed = searchParams.get('X-Amz-SignedHeaders')?.split(';') ?? [...searchParams.keys()];
  return {
    seconds: Number(searchParams.get('X-Amz-Expires') ?? searchParams.get('expires')),
    headers: signed.filter((name) => name.startsWith('content-')).toSorted(),
  };
}
