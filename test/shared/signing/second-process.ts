import { buffer } from 'node:stream/consumers';
import { completeDetached } from '../../../shared/signing/cades/complete.ts';
import type { CadesState } from '../../../shared/signing/cades/prepare.ts';
import { completePades } from '../../../shared/signing/pades/complete.ts';
import type { PadesState } from '../../../shared/signing/pades/prepare.ts';
import { completeXades } from '../../../shared/signing/xades/complete.ts';
import type { XadesState } from '../../../shared/signing/xades/prepare.ts';

/** What the first process hands over, as JSON; bytes are Base64. */
export type Kept = { readonly signature: string } & (
  | { readonly format: 'PAdES'; readonly state: PadesState; readonly increment: string }
  | { readonly format: 'CAdES'; readonly state: CadesState }
  | { readonly format: 'XAdES'; readonly state: XadesState; readonly document: string }
);

const bytes = (text: string): Buffer => Buffer.from(text, 'base64');

async function completed(kept: Kept): Promise<Buffer> {
  const signature = bytes(kept.signature);
  if (kept.format === 'PAdES')
    return completePades(kept.state, signature, { increment: bytes(kept.increment) });
  if (kept.format === 'CAdES') return completeDetached(kept.state, signature);
  return completeXades(kept.state, bytes(kept.document), signature);
}

if (import.meta.main) {
  const kept: Kept[] = JSON.parse(String(await buffer(process.stdin)));
  const made: string[] = [];
  for (const each of kept) made.push((await completed(each)).toString('base64'));
  process.stdout.write(JSON.stringify(made));
}
