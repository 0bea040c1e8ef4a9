import { createHash, type Hash } from 'node:crypto';
import { files } from '../../../../shared/files/files.ts';
import { type Item, signedKey } from '../../items/domain/item.ts';
import { type AppliedToken, type StampedFile, tokenKey } from './chain.ts';

// What a restamp proves
//
// A restamp is an RFC 3161 token (a TimeStampToken, DER) that is stored beside the signed file. It is not XAdES-A: the
// signed file is never changed, and no verifier of XAdES looks for the token. Anybody verifies it with standard tools.
//
// Its message imprint is SHA-256 over these bytes, one after the other, with nothing between them:
//
//   signed file   token 1   token 2   …   token n-1
//
// The signed file is what GET …/{id}/xml/{name} answers. Token i is what GET /api/restamps/{id}/token answers for the
// restamps that `earlierRestampIds` names, in that order. So for the third restamp of a file:
//
//   cat signed.xml 1.tst 2.tst > stamped
//   openssl ts -verify -data stamped -in 3.tst -token_in -CAfile root.pem
//
// Token n proves that token n-1 existed before the certificate of its authority expired: -attime judges token n-1 at the
// time that token n tells, and so on down to the timestamps and signatures in the file.

/** A file that a token is over is gone, or is not the one that was recorded. Nothing is stamped. */
export class StampedFileChanged extends Error {
  override readonly name = 'StampedFileChanged';
}

/** The SHA-256 hash that the next token of a signed file is over. */
export async function imprintOf(
  document: Item,
  file: StampedFile,
  earlier: readonly AppliedToken[],
): Promise<Buffer> {
  const imprint = createHash('sha256');
  const signed = document.files.find(({ name }) => name === file.name)?.signed;
  if (!signed) throw new StampedFileChanged(`The file ${file.name} is not signed.`);
  await addFile(imprint, signedKey(document, file.name, signed), signed.sha256);
  for (const token of earlier) await addFile(imprint, tokenKey(file, token), token.sha256);
  return imprint.digest();
}

async function addFile(imprint: Hash, key: string, sha256: string): Promise<void> {
  const opened = await files('credentials').get(key);
  if (!opened) throw new StampedFileChanged(`The file ${key} is gone from the bucket.`);
  const hash = createHash('sha256');
  for await (const chunk of opened.stream) {
    hash.update(chunk);
    imprint.update(chunk);
  }
  if (hash.digest('hex') !== sha256)
    throw new StampedFileChanged(`The file ${key} in the bucket is not the one that was stored.`);
}
