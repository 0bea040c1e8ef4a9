import { createReadStream, statSync } from 'node:fs';
import { measure } from '../../shared/signing/cades/content.ts';
import { signAttached, signDetached } from '../../shared/signing/cades/sign.ts';
import { armoured } from '../../shared/signing/cms/armour.ts';
import type { Job, Signed } from './job.ts';
import { counted, progress } from './progress.ts';

/** Content of any size flows through: it is read once to be measured and, attached, once more to be written. */
export async function* signAsCades({ options, key, common }: Job): Signed {
  const { file, detached, pem } = options;
  const bar = progress({
    label: `Signing ${file}`,
    totalBytes: statSync(file).size * (detached ? 1 : 2),
  });
  const open = () => counted(createReadStream(file), bar);
  try {
    const der = detached
      ? await signDetached(await measure(open(), options.digest), key, common)
      : signAttached(open, key, common);
    if (pem) yield* armoured(der);
    else if (der instanceof Uint8Array) yield der;
    else yield* der;
  } finally {
    bar.end();
  }
}
