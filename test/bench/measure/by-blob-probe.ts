import { createReadStream, statSync } from 'node:fs';
import { handler as begin } from '../../../functions/pki/files/endpoints/begin-multipart-upload.ts';
import { handler as complete } from '../../../functions/pki/files/endpoints/complete-multipart-upload.ts';
import { handler as upload } from '../../../functions/pki/files/endpoints/upload-part.ts';
import { peakBytes } from '../../measure/peak-bytes.ts';
import { apiSigner } from './api-signer.ts';

// Run by memory.ts in a process of its own: uploads a PDF in parts, signs it by API, and prints the most memory that took.
// argv: the PDF.

const [, , file = ''] = process.argv;
process.env.SignatureSessions__MaxDocumentBytes = '200000000';
const { ask, signByApi, stop } = await apiSigner();
type Begun = { readonly blobToken: string; readonly partSize: number };
const { blobToken: token, partSize } = await ask<Begun>(begin, { method: 'POST' });
const partETags: string[] = [];
for (let start = 0; start < statSync(file).size; start += partSize) {
  const bodyStream = createReadStream(file, { start, end: start + partSize - 1 });
  const params = { token, partNumber: String(partETags.length) };
  partETags.push((await ask<{ etag: string }>(upload, { params, bodyStream })).etag);
}
await ask(complete, { params: { token }, json: { partETags } });
await signByApi({ blobToken: token });
const peak = peakBytes();
await stop();
process.stdout.write(`${peak}\n`, () => process.exit());
