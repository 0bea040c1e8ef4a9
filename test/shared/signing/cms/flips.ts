import { readSignedData } from '../../../../shared/signing/cms/read.ts';

/** Where the signed bytes of an attached SignedData stand: content, attributes, signature, the signer's certificate. */
export function signedRanges(bytes: Buffer, certificate: Buffer): { start: number; end: number }[] {
  const { content, signers } = readSignedData(bytes);
  const [signer] = signers;
  const attributes = signer?.signedDer?.subarray(4); // past the header, whose tag is another while it is signed
  return [content, attributes, signer?.signature, certificate].map((range) => {
    const start = range?.length ? bytes.indexOf(range) : -1;
    if (!range || start < 0) throw new Error('A signed range does not stand in the file.');
    return { start, end: start + range.length };
  });
}

/** The file with one bit of one byte another, for every `step`th byte of these ranges. */
export function* flips(bytes: Buffer, ranges: readonly { start: number; end: number }[], step: number) {
  for (const { start, end } of ranges)
    for (let at = start; at < end; at += step) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      yield { at, changed };
    }
}
