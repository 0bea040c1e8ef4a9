import { sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Documents } from '@sinete/client';
import { openPkcs12 } from '../../shared/pki/pkcs12/open.ts';

/**
 * Signs a document as a person of the sandbox, with the certificate file that `npm start` wrote for their CPF. Your own
 * people sign at the page of their link; a program that has a key signs by the same two calls.
 */
export async function signAs(documents: Documents, id: string, cpf: string, data: string): Promise<void> {
  const file = await readFile(join(data, 'pki/holders', `${cpf}.p12`));
  const [holder] = (await openPkcs12(file, '1234')).entries;
  if (!holder) throw new Error(`The certificate file of ${cpf} holds no key.`);

  // The platform says what to sign. The private key stays here.
  const certificate = holder.certificate.der.toString('base64');
  const { token, toSignData, validationResults } = await documents.startSignature({
    id,
    body: { certificate },
  });
  if (!token || !toSignData)
    throw new Error(`The certificate of ${cpf} may not sign: ${JSON.stringify(validationResults.errors)}`);
  const signature = sign('sha256', Buffer.from(toSignData, 'base64'), holder.privateKey).toString('base64');
  await documents.completeSignature({ id, body: { token, signature } });
}
